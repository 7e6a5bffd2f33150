/**
 * How Node runs the program; `npm start` in package.json says the same. Without a bound V8 lets some 80 MB of live objects
 * grow to 400 MB before it collects them: its growth factor depends on the bound. No source maps: with them every stack that Node
 * itself makes, as for each request of a connection that breaks, takes half a millisecond. `npm run dev` has them.
 */
export const nodeFlags = ['--max-old-space-size=1024'];
