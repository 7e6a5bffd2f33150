/** How the argument is described by which every operation is found. */
export const tickerArg = { description: "The operation's ticker or the slug of its estate, whatever the case" };
