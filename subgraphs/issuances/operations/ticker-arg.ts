/** Describes the argument that identifies an operation. */
export const tickerArg = { description: "The operation's ticker or the slug of its estate, whatever the case" };
