// The attacker, a separate process: `node attacker.mjs <number of the attack, or a part of its name> <port> <seconds>`. SIGNER is a client of signed
// requests, as JSON, for the attacks that sign.
import { setMaxListeners } from 'node:events';
import { constants, setPriority } from 'node:os';
import { attacks } from './attacks.mjs';

// A real attacker has machines of its own: here it gets the processor time that the program and its other callers leave.
setPriority(constants.priority.PRIORITY_LOW);
const [which, port, seconds] = process.argv.slice(2);
const { SIGNER: signer } = process.env;
const attack = attacks[Number(which)] ?? attacks.find(({ name }) => name.includes(which));
const stop = new AbortController();
setMaxListeners(0, stop.signal);
setTimeout(
  () => {
    stop.abort();
    setTimeout(() => process.exit(0), 500);
  },
  Number(seconds) * 1000,
);
await attack.run(
  {
    port: Number(port),
    url: `http://127.0.0.1:${port}`,
    ...(signer === undefined ? {} : { signer: JSON.parse(signer) }),
  },
  stop.signal,
);
