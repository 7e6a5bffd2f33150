// A TCP balancer: each connection goes to the next of the ports in TARGETS, as a Service of Kubernetes does it.
import { connect, createServer } from 'node:net';

const targets = process.env.TARGETS.split(',').map(Number);
let turn = 0;
createServer((client) => {
  const server = connect(targets[turn++ % targets.length], '127.0.0.1');
  for (const [from, to] of [
    [client, server],
    [server, client],
  ]) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
