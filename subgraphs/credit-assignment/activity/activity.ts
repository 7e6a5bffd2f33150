/** Acts in the name of an originator, or about it. */
export type ActivityKind =
  | 'CREDIT_BATCH_CREATED'
  | 'CREDIT_BATCH_SUBMITTED'
  | 'CREDIT_BATCH_CANCELLED'
  | 'SETTLEMENT_BATCH_CREATED'
  | 'SETTLEMENT_BATCH_SUBMITTED'
  | 'SETTLEMENT_BATCH_CANCELLED'
  | 'ONBOARDED'
  | 'CHANGED'
  | 'SUSPENDED'
  | 'REACTIVATED'
  | 'SENDING_PERMITTED'
  | 'SENDING_WITHDRAWN'
  | 'KEY_ADDED'
  | 'KEY_REVOKED'
  | 'ESTATE_PERMITTED'
  | 'ESTATE_WITHDRAWN'
  | 'CRITERIA_SET'
  | 'CRITERIA_REMOVED';

/** Who did it, as its account may know. */
export type ActivityActor = 'CLIENT' | 'ACCOUNT' | 'FORMER_ACCOUNT' | 'OPERATOR' | 'PLATFORM';

/** The act of an entry of the audit log, with its state before and after. */
export interface RecordedAct {
  readonly action: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

const kinds: Readonly<Record<string, ActivityKind>> = {
  addOriginator: 'ONBOARDED',
  addOriginatorKey: 'KEY_ADDED',
  revokeOriginatorKey: 'KEY_REVOKED',
  permitOriginator: 'ESTATE_PERMITTED',
  withdrawOriginatorPermit: 'ESTATE_WITHDRAWN',
  setEligibilityCriteria: 'CRITERIA_SET',
  removeEligibilityCriteria: 'CRITERIA_REMOVED',
};

export function kindOf({ action, before, after }: RecordedAct): ActivityKind {
  if (action === 'permitAccountToSend')
    return after?.['accountMaySend'] === true ? 'SENDING_PERMITTED' : 'SENDING_WITHDRAWN';
  if (action === 'changeOriginator' && before?.['status'] !== after?.['status'])
    return after?.['status'] === 'SUSPENDED' ? 'SUSPENDED' : 'REACTIVATED';
  return kinds[action] ?? 'CHANGED';
}

/** An actor as the audit log knows it; null where nothing but the signed request did it. */
export interface RecordedActor {
  readonly actorKind: string | null;
  readonly actorId: string | null;
}

/** Leaves out ids, names and addresses. @param accountId the account that is linked with the originator now */
export function actorOf({ actorKind, actorId }: RecordedActor, accountId: string | null): ActivityActor {
  switch (actorKind) {
    case null:
    case 'CLIENT':
      return 'CLIENT';
    case 'SESSION':
    case 'API_KEY':
      return actorId === accountId ? 'ACCOUNT' : 'FORMER_ACCOUNT';
    case 'SYSTEM':
      return 'PLATFORM';
    default:
      return 'OPERATOR';
  }
}
