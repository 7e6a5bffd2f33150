import type { ActName } from '../../../shared/registry.js';
import type { KeyTable } from './api-key.store.js';

export interface KeyKind {
  readonly table: KeyTable;
  /** The visible part of its keys. */
  readonly prefixForm: RegExp;
  /** Names in the audit log. */
  readonly subject: string;
  readonly created: ActName;
  readonly revoked: ActName;
  readonly rotated: ActName;
  /** Maximum number of keys of one account that are neither revoked nor expired, without those whose replacement works. */
  readonly maxWorking: number;
}

/** Maximum number of API keys of one account that are ACTIVE and not expired (docs/contract/accounts.md §3.3). */
const maxApiKeys = 5;
const maxDeveloperKeys = 20;

export const apiKeys: KeyKind = {
  table: 'api_keys',
  prefixForm: /^svcpub_\w+$/,
  subject: 'apiKey',
  created: 'createApiKey',
  revoked: 'revokeApiKey',
  rotated: 'rotateApiKey',
  maxWorking: maxApiKeys,
};

export const developerKeys: KeyKind = {
  table: 'developer_keys',
  prefixForm: /^svc_dev_\w+$/,
  subject: 'developerKey',
  created: 'createDeveloperKey',
  revoked: 'revokeDeveloperKey',
  rotated: 'rotateDeveloperKey',
  maxWorking: maxDeveloperKeys,
};
