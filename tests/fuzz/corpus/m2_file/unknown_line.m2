S a b
I note
