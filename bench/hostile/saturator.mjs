// Sends more requests than can be served, from a separate process: `node saturator.mjs <port> <connections> <seconds> <requests/s, or 0>`. It writes its
// observations as JSON. It implements HTTP by hand: a complete client would take as much processor time as the server.
import net from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../kit/statistics.mjs';

// A real attacker has machines of its own: here it gets the processor time that the program leaves.
setPriority(constants.priority.PRIORITY_LOW);
const [port, connections, seconds, rate] = process.argv.slice(2).map(Number);
/** Networks that the connections come from: all of 127.0.0.0/8 is loopback on Linux. */
const networks = 20;
const request = Buffer.from('GET /public/tranches?limit=1 HTTP/1.1\r\nHost: x\r\n\r\n');
const latencies = [];
const counts = { served: 0, shed: 0, other: 0, failed: 0 };
/** The connections that wait for the next request. */
const idle = [];
let over = false;

const open = Array.from({ length: connections }, (_, index) => connect(index));
await Promise.all(open.map(({ opened }) => opened));
const begun = performance.now();
if (rate === 0) for (const { ask } of open) ask();
else {
  idle.push(...open);
  let asked = 0;
  while (performance.now() - begun < seconds * 1000) {
    const due = Math.floor(((performance.now() - begun) / 1000) * rate);
    for (; asked < due && idle.length > 0; asked += 1) idle.shift().ask();
    // Requests for which no connection was free are not made up for later.
    asked = due;
    await sleep(2);
  }
}
await sleep(Math.max(0, begun + seconds * 1000 - performance.now()));
over = true;
const took = (performance.now() - begun) / 1000;
const { served, ...others } = counts;
process.stdout.write(JSON.stringify({ perSecond: served / took, p99: quantile(latencies, 0.99) ?? 0, ...others }));
process.exit(0);

function connect(index) {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress: `127.0.3.${1 + (index % networks)}` });
  let since = 0;
  let text = '';
  const lane = {
    ask: () => {
      since = performance.now();
      text = '';
      socket.write(request);
    },
    opened: new Promise((resolve) => socket.once('connect', resolve).once('error', resolve)),
  };
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    if (!over) counts.failed += 1;
  });
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
    if (over || !isWhole(text)) return;
    const status = text.slice(9, 12);
    if (status === '200') {
      counts.served += 1;
      latencies.push(performance.now() - since);
    } else if (status === '503') counts.shed += 1;
    else counts.other += 1;
    if (rate === 0) lane.ask();
    else idle.push(lane);
  });
  return lane;
}

function isWhole(response) {
  const end = response.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(response.slice(0, end))?.[1];
  return length === undefined ? response.endsWith('0\r\n\r\n') : response.length >= end + 4 + Number(length);
}
