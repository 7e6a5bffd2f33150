import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command } from './command.js';
import { misused } from './misuse.js';
import { operate } from './operate.js';
import { whole } from './values.js';

const limited = z.object({ prefix: z.string(), rateLimit: z.number(), followsConfiguration: z.boolean() });

export const keyCommand: Command = {
  usage: `Usage: npm run lastro -- key limit <prefix> <requests|default>

Sets the rate limit of an API key (svcpub_…) or a developer key (svc_dev_…).

  <prefix>    the visible part of the key, as in the list of keys
  <requests>  requests per minute by REST and MCP (GraphQL has a budget of points); default: the value of RATE_LIMIT_API_KEY, also
              after it changes

It requires the role administer. It takes effect within a second on all servers; the server may be running. Exit code 0: done. 1: refused,
with the reason on standard error. 2: wrong use.`,
  run: async (args) => {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} });
    const [verb, prefix, requests, ...more] = positionals;
    if (verb !== 'limit' || prefix === undefined || requests === undefined || more.length > 0) {
      return misused(keyCommand.usage, args);
    }
    return operate(
      'mutation ($prefix: String!, $rateLimit: Int) { limitKey(prefix: $prefix, rateLimit: $rateLimit) { prefix rateLimit followsConfiguration } }',
      { prefix, rateLimit: requests === 'default' ? null : whole(requests) },
      z.object({ limitKey: limited }),
      ({ limitKey }) =>
        `${limitKey.prefix} has a limit of ${limitKey.rateLimit} requests a minute${limitKey.followsConfiguration ? ', as configured' : ''}.`,
      { typed: { rateLimit: '<requests>' } },
    );
  },
};
