Nothing is bound here.
