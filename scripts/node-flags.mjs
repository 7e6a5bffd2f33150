/**
 * How Node runs the program; `npm start` in package.json says the same. Without a bound V8 lets some 80 MB of live objects
 * grow to 400 MB before it collects them (its growth factor depends on the bound), and a roomier nursery keeps what belongs
 * to one request from being promoted.
 */
export const nodeFlags = ['--enable-source-maps', '--max-old-space-size=1024', '--max-semi-space-size=32'];
