import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { until } from '../kit/until.js';

/** Where the system's Chromium is; undefined when there is none. */
export const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

const message = z.object({
  id: z.number().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});
const evaluated = z.object({
  result: z.object({ value: z.unknown() }),
  exceptionDetails: z.object({ exception: z.object({ description: z.string() }).optional() }).optional(),
});

/** A page of a Chromium without a window, driven by the DevTools protocol. */
export type ChromiumPage = Awaited<ReturnType<typeof openChromium>>;

export async function openChromium(path: string) {
  const profile = await mkdtemp(join(tmpdir(), 'lastro-chromium-'));
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', '--no-first-run'];
  const child = spawn(path, [...flags, `--user-data-dir=${profile}`, 'about:blank'], { stdio: 'ignore' });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const port = await portOf(profile);
  const targets = z
    .array(z.object({ type: z.string(), webSocketDebuggerUrl: z.string() }))
    .parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json());
  const page = targets.find(({ type }) => type === 'page');
  if (page === undefined) throw new Error('Chromium has no page');
  const socket = new WebSocket(page.webSocketDebuggerUrl, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const waiting = new Map<number, (text: z.output<typeof message>) => void>();
  socket.on('message', (data: Buffer) => {
    const said = message.parse(JSON.parse(data.toString()));
    if (said.id !== undefined) waiting.get(said.id)?.(said);
  });
  let last = 0;
  const call = async (method: string, params: object = {}) => {
    last += 1;
    const id = last;
    const said = new Promise<z.output<typeof message>>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await said;
    waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
  const run = async (body: string) => {
    const expression = `(async () => { ${body} })()`;
    const { result, exceptionDetails } = evaluated.parse(
      await call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, userGesture: true }),
    );
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? 'The page failed');
    return result.value;
  };
  return {
    call,
    /** Runs the body of an asynchronous function in the page, and returns its result. */
    run,
    open: async (address: string) => {
      await call('Page.navigate', { url: address });
      const isComplete = `return location.href === ${JSON.stringify(address)} && document.readyState === 'complete'`;
      await until(`the page ${address}`, () => run(isComplete));
    },
    close: async () => {
      socket.terminate();
      child.kill('SIGKILL');
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const portOf = (profile: string): Promise<string> =>
  until(
    'the port of Chromium',
    async () => (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n')[0],
  );
