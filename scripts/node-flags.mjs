/**
 * The flags with which Node runs the program; `npm start` in package.json has the same. Without a limit V8 lets some 80 MB of live objects grow to 400
 * MB before it collects garbage: its growth factor depends on the limit. No source maps: with them every stack that Node itself creates, as for each
 * request of a broken connection, takes half a millisecond. `npm run dev` has them.
 */
export const nodeFlags = ['--max-old-space-size=1024'];
