import { join } from 'node:path';
import { secureAddress } from '../gateway/http/transport.js';
import type { Config } from '../shared/kernel/config.js';
import type { Platform } from './platform.js';

/** The text for newcomers once the program is ready. Where plain HTTP redirects to HTTPS, interfaces have HTTPS addresses; probes respond on both. */
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

/** Calls `act` when the parent process has ended: npm cannot forward SIGKILL, and the program would keep the port and the data folder. */
export function whenParentIsGone(act: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, lookMs);
  timer.unref();
}
