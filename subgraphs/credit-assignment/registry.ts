import type { Registry } from '../../shared/registry.js';

export const creditAssignment = {
  errors: {
    BATCH_NOT_FOUND: { status: 404, message: 'The credit batch does not exist', catalogue: 2001 },
    BATCH_STATUS: { status: 409, message: 'The status of the batch does not allow this operation', catalogue: 2002 },
    DUPLICATE_CONTRACT: { status: 409, message: 'The contract is already in the credit batch', catalogue: 2003 },
    SETTLEMENT_BATCH_NOT_FOUND: { status: 404, message: 'The settlement batch does not exist', catalogue: 3001 },
    RECEIVABLE_SETTLED: { status: 422, message: 'The receivable was already settled', catalogue: 3002 },
  },
  rules: {
    ORIGINATOR_CHOICE: 'must be given: the account is linked with several clients',
    ESTATE_UNKNOWN: 'is not the id of an estate',
    ESTATE_CLOSED: 'names an estate that is CLOSED and accepts no credits',
    ESTATE_WITHOUT_CRITERIA:
      'names an estate that has no eligibility criteria and accepts no credits until an operator sets them',
    LIMIT_SHARE: 'must be given for a limit of this kind: greater than 0 and at most 100, with at most 4 decimals',
    LIMIT_DAYS: 'must be given for a limit of this kind: from 1 to {max}',
    LIMIT_WITHOUT: 'must not be given for a limit of this kind',
    LIMIT_BASE: 'must be BATCH or PORTFOLIO with AVERAGE_TERM',
    LIMIT_TWICE: 'limits the same as an earlier limit or maxDebtorShare: give one of them',
    NET_WORTH_MISSING: 'must be given with a limit on NET_WORTH, and with its date',
    NET_WORTH_UNDATED: 'must be given with the net worth: the day of which it is',
    CONTRACTS_INVALID: 'contracts with invalid data ({count} of {total})',
    CONTRACTS_INELIGIBLE: 'contracts that do not meet the eligibility criteria of the estate ({count} of {total})',
    CONTRACTS_ASSIGNED: 'contracts that are already assigned ({count} of {total})',
    REJECTED_BY_PERMIT: 'The estate {estate} is not permitted for the originator',
    REJECTED_BY_CLOSING: 'The estate {estate} is CLOSED and accepts no credits',
    REJECTED_BY_CRITERIA:
      'The estate {estate} has no eligibility criteria and accepts no credits until an operator sets them',
    ALL_CONTRACTS_WRONG: 'has errors in every contract',
    FILE_SENT_BEFORE:
      'was sent before, as batch {number}: cancel that one, or tell the payments apart by a paymentReference or, in CNAB 444, the number of the file',
    PAYMENTS_REFUSED: 'Payments exceed the open balances of their receivables: {count} of {total}',
    PAYMENTS_REFUSED_REVERSED:
      'Payments exceed the open balances of their receivables, or repeat the reference of a reversed payment: {count} of {total}',
    PAYMENTS_REFUSED_CHANGED:
      'Payments exceed the open balances of their receivables, or differ from the payments recorded with their references: {count} of {total}',
    PAYMENTS_REFUSED_REVERSED_CHANGED:
      'Payments exceed the open balances of their receivables, or repeat the reference of a reversed payment, or differ from the payments recorded with their references: {count} of {total}',
    SETTLEMENTS_REFUSED:
      'Payments or other acts that open balances, rates, substitutes or earlier references do not allow: {count} of {total}',
    ORIGINATOR_KEYS_FULL: 'The client already has {max} keys: revoke one of them first',
    ORIGINATOR_KEY_TAKEN: 'Another client uses this key: generate a new key pair for each client',
    ORIGINATOR_KEY_REVOKED: 'This key was revoked: generate a new key pair',
    NO_ORIGINATOR: 'This account is linked with no client: ask the operator to link it',
    MAY_NOT_SEND:
      'This account may read the batches of the client, but not send for it. Ask the operator for the permission',
    NO_PERMIT: 'This client may not assign credits to the estate {ticker}. Ask the operator for a permit',
    ORIGINATOR_WITHOUT_ACCOUNT: 'The client is linked with no account: set its accountId first',
  },
  importRules: {
    ESTATE_NOT_KNOWN:
      'is "{value}", and there is no such patrimony; one that is new is known some seconds after its import',
  },
  acts: [
    'originators',
    'originator',
    'addOriginator',
    'changeOriginator',
    'addOriginatorKey',
    'revokeOriginatorKey',
    'addMyOriginatorKey',
    'revokeMyOriginatorKey',
    'permitAccountToSend',
    'permitOriginator',
    'withdrawOriginatorPermit',
    'setEligibilityCriteria',
    'removeEligibilityCriteria',
    'reverseLateCharges',
    'createCreditBatchFromFile',
    'submitCreditBatch',
    'cancelCreditBatch',
    'remakeCreditBatch',
    'createSettlementBatchFromFile',
    'submitSettlementBatch',
    'cancelSettlementBatch',
    'takeInAssignmentFile',
    'takeInSettlementFile',
    'creditAssignmentWorkQueues',
    'quarantineCreditAssignmentWork',
    'releaseCreditAssignmentWork',
  ],
} as const satisfies Registry;

declare module '../../shared/registry.js' {
  interface Registries {
    readonly creditAssignment: typeof creditAssignment;
  }
}
