/** The mutant that is switched on in this process; the environment of the tests reads it, and leaves what the tests reached. */
export const active = { mutant: undefined, hitLimit: undefined, coverage: undefined };
