__attribute__((always_inline))
uint lab_group(void)
{
    return (uint)(get_group_id(0) +
                  get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2)));
}
__attribute__((always_inline))
uint lab_local(void)
{
    return (uint)(get_local_id(0) +
                  get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)));
}
__attribute__((always_inline))
uint lab_item(void)
{
    return lab_group() * (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)) +
           lab_local();
}
