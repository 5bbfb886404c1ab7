// The compiler's header asks for it; nothing of it is used.
