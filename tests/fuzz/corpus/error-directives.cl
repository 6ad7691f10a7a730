#include <x>
#bogus
#if
#else
#else
#endif
#endif
#define
#define f(x
#undef
#error no
#if 1 +
