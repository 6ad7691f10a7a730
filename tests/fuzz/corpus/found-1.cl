enum{}++

