import { join } from 'node:path';
import type { Config } from '../shared/config.js';

/** What a newcomer needs to take the first step, printed once the house is ready. */
export function welcome(config: Config, { url }: { readonly url: string }): string {
  if (config.role !== 'all' && config.role !== 'gateway') {
    return `\nLastro's ${config.role} is ready.\n\n  Health     ${url}/readyz  ${url}/metrics\n\n`;
  }
  const credentials = join(config.dataDir, 'demo-credentials.json');
  const doors = [
    ['GraphQL', `${url}/graphql`],
    ['REST', `${url}/v1/emissoes`],
    ['MCP', `${url}/v1/emissoes/mcp`],
    ['Reference', `${url}/docs`],
    ...(config.production ? [] : [['Mailbox', `${url}/dev/mailbox?to=<e-mail>`]]),
    ['Health', `${url}/readyz  ${url}/metrics`],
  ];
  const lines = [
    '',
    'Lastro is ready.',
    '',
    ...doors.map(([name = '', address = '']) => `  ${name.padEnd(10)} ${address}`),
  ];
  if (config.demo && config.role === 'all') {
    lines.push(
      '',
      `Demo credentials are in ${credentials}. Try:`,
      '',
      `  curl -s -H "X-API-Key: $(node -p 'require("${toPath(credentials)}").publicApiKey')" ${url}/v1/emissoes/operacoes`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

/** A path that `require` takes from anywhere. */
function toPath(file: string): string {
  return file.startsWith('/') ? file : `./${file}`;
}
