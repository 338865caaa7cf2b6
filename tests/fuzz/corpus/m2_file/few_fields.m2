S a b
A 0 1|||X
