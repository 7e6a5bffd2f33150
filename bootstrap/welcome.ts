import { join } from 'node:path';
import { secureAddress } from '../gateway/http/transport.js';
import type { Config } from '../shared/kernel/config.js';
import type { Platform } from './platform.js';

/**
 * Returns the text for newcomers that is printed once the program is ready: the addresses and first steps. Where plain HTTP is redirected to
 * HTTPS, the interfaces have HTTPS addresses; the probes also respond on plain HTTP.
 */
export function welcome(config: Config, { url, tlsPort }: Pick<Platform, 'url' | 'tlsPort'>): string {
  if (config.role !== 'all' && config.role !== 'gateway') {
    return `\nLastro's ${config.role} is ready.\n\n  Health     ${url}/readyz  ${url}/metrics\n\n`;
  }
  const { publicUrl, requireHttps, tls } = config;
  const base =
    requireHttps || tls !== undefined ? secureAddress(publicUrl, tlsPort, new URL(url).host, '/').slice(0, -1) : url;
  const credentials = join(config.dataDir, 'demo-credentials.json');
  const transports = [
    ['GraphQL', `${base}/graphql`],
    ['REST', `${base}/v1/emissoes`],
    ['MCP', `${base}/v1/emissoes/mcp`],
    ['Reference', `${base}/docs`],
    ...(config.production ? [] : [['Mailbox', `${base}/dev/mailbox?to=<e-mail>`]]),
    ['Health', `${url}/readyz  ${url}/metrics`],
  ];
  const lines = [
    '',
    'Lastro is ready.',
    '',
    ...transports.map(([name = '', address = '']) => `  ${name.padEnd(10)} ${address}`),
  ];
  if (config.demo && config.role === 'all') {
    lines.push(
      '',
      `Demo credentials are in ${credentials}. Try:`,
      '',
      `  curl -s -H "X-API-Key: $(node -p 'require("${toPath(credentials)}").publicApiKey')" ${base}/v1/emissoes/operacoes`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

/** Returns a path that `require` resolves from anywhere. */
function toPath(file: string): string {
  return file.startsWith('/') ? file : `./${file}`;
}

const lookMs = 250;

/**
 * Calls `act` when the process that started this one has ended. `npm start` relies on it: npm cannot forward SIGKILL, and the
 * program would keep running alone, holding the port and the data folder.
 */
export function whenParentIsGone(act: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, lookMs);
  timer.unref();
}
