import type { Route } from '../route.js';
import { pageSize } from './parameters.js';

const contracts = {
  method: 'GET',
  tag: 'Developer',
  credential: 'developerKey',
  scope: 'contracts:read',
  bucket: 'apiKey',
  status: 200,
} as const;

export const contractRoutes: readonly Route[] = [
  {
    ...contracts,
    path: '/developer/contracts',
    operation: 'developerContracts',
    summary: 'List token contracts',
    description:
      'The contracts whose tokens are the units of series, by ticker of the series. `readAt` is the time at which the data of a contract was last read from the chain. Needs the scope `contracts:read`.',
    response: 'A page of contracts.',
    errors: {},
    parameters: {
      limit: pageSize('Contracts'),
      nextToken: { description: '`nextToken` of the previous page. Omitted: the first page.' },
    },
    example: { query: { limit: '2' } },
  },
  {
    ...contracts,
    path: '/developer/contracts/:address',
    operation: 'developerContract',
    summary: 'Get a token contract',
    description:
      'A contract with the events of its tokens, newest first. Tokens that were transferred together are one event; `tokenIds` has the first 100 of them. Until an event is `final`, a reorganization of the chain can undo it. Needs the scope `contracts:read`.',
    response: 'The contract, and a page of its events.',
    errors: { 404: 'There is no such contract.' },
    parameters: {
      address: {
        description: 'Address of the contract; case does not matter.',
        schema: { pattern: '^0x[0-9a-fA-F]{40}$' },
        rule: 'must be an address: 0x and 40 hexadecimal digits',
      },
      limit: pageSize('Events'),
      nextToken: { description: '`nextToken` of the previous page. Omitted: the newest events.' },
    },
    example: { path: { address: '0x829aF52432aCd1Dc82FA6e7032E4bB35F1c3bc4b' }, query: { limit: '5' } },
  },
];
