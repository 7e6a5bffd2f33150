import type { Route } from '../route.js';
import { reads } from './batches.js';
import { pageSize } from './parameters.js';

const limit = pageSize();

export const receivableRoutes: readonly Route[] = [
  {
    ...reads,
    path: '/tidc/v1/receivables',
    operation: 'receivableLookup',
    summary: 'Find receivables by their external id',
    description: "The client's contracts with an external id, in all batches, newest first.",
    response: 'A page of receivables; empty if there are none.',
    errors: {},
    parameters: {
      externalId: {
        description: "Id of the contract in the originator's system.",
        schema: { minLength: 1, maxLength: 100 },
        rule: 'must have from 1 to 100 characters',
      },
      limit,
      nextToken: { description: '`nextToken` of the previous page. Omitted: the first page.' },
    },
    example: { query: { externalId: 'CCB-2026-000123', limit: '20' } },
  },
  {
    ...reads,
    path: '/tidc/v1/receivables/:id',
    operation: 'receivableDetail',
    missing: { message: 'There is no such receivable' },
    summary: 'Get a receivable',
    description: 'A contract of one of the batches, with its open balance.',
    response: 'The receivable.',
    errors: { 404: 'The client has no such receivable.' },
    parameters: { id: { description: 'Id of the receivable.' } },
    example: { path: { id: '0190a000-0000-7000-8000-000000000004' } },
  },
];
