import { ObjectType } from 'type-graphql';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { actorOf, kindOf, type ActivityActor, type ActivityKind } from './activity.js';
import type { ActivityRow } from './activity.store.js';
import { fields, id, nullable, of, time } from '../../../shared/graphql/fields.js';

const ActivityKindEnum = describeEnum<ActivityKind>(
  'OriginatorActivityKind',
  'Kind of an act in the name of a client, or about it.',
  {
    CREDIT_BATCH_CREATED: 'A credit batch was created.',
    CREDIT_BATCH_SUBMITTED: 'A credit batch was submitted.',
    CREDIT_BATCH_CANCELLED: 'A credit batch was cancelled.',
    SETTLEMENT_BATCH_CREATED: 'A settlement batch was created.',
    SETTLEMENT_BATCH_SUBMITTED: 'A settlement batch was submitted.',
    SETTLEMENT_BATCH_CANCELLED: 'A settlement batch was cancelled.',
    ONBOARDED: 'The client was onboarded, with its first key.',
    CHANGED: 'Its name, rate limit or account was changed.',
    SUSPENDED: 'It was suspended: its requests are rejected.',
    REACTIVATED: 'Its suspension was lifted.',
    SENDING_PERMITTED: 'People of its account were permitted to send for it.',
    SENDING_WITHDRAWN: 'That permission was withdrawn.',
    KEY_ADDED: 'A signing key was added.',
    KEY_REVOKED: 'A signing key was revoked.',
    ESTATE_PERMITTED: 'It was permitted to assign credits to an estate.',
    ESTATE_WITHDRAWN: 'That permit was withdrawn.',
    CRITERIA_SET: 'The eligibility criteria of a permitted estate were set.',
    CRITERIA_REMOVED: 'The eligibility criteria of a permitted estate were removed.',
  },
  {
    CREDIT_BATCH_CREATED: ['Lote de créditos criado', 'Credit batch created'],
    CREDIT_BATCH_SUBMITTED: ['Lote de créditos enviado', 'Credit batch submitted'],
    CREDIT_BATCH_CANCELLED: ['Lote de créditos cancelado', 'Credit batch cancelled'],
    SETTLEMENT_BATCH_CREATED: ['Lote de liquidações criado', 'Settlement batch created'],
    SETTLEMENT_BATCH_SUBMITTED: ['Lote de liquidações enviado', 'Settlement batch submitted'],
    SETTLEMENT_BATCH_CANCELLED: ['Lote de liquidações cancelado', 'Settlement batch cancelled'],
    ONBOARDED: ['Originador cadastrado', 'Originator onboarded'],
    CHANGED: ['Cadastro alterado', 'Details changed'],
    SUSPENDED: ['Originador suspenso', 'Originator suspended'],
    REACTIVATED: ['Originador reativado', 'Originator reactivated'],
    SENDING_PERMITTED: ['Envio pela conta permitido', 'Sending by the account permitted'],
    SENDING_WITHDRAWN: ['Envio pela conta retirado', 'Sending by the account withdrawn'],
    KEY_ADDED: ['Chave adicionada', 'Key added'],
    KEY_REVOKED: ['Chave revogada', 'Key revoked'],
    ESTATE_PERMITTED: ['Patrimônio permitido', 'Estate permitted'],
    ESTATE_WITHDRAWN: ['Permissão de patrimônio retirada', 'Permit for an estate withdrawn'],
    CRITERIA_SET: ['Critérios de elegibilidade definidos', 'Eligibility criteria set'],
    CRITERIA_REMOVED: ['Critérios de elegibilidade removidos', 'Eligibility criteria removed'],
  },
);

export const ActivityActorEnum = describeEnum<ActivityActor>(
  'OriginatorActor',
  'Who acted in the name of a client, or about it.',
  {
    CLIENT: 'The client itself, by a signed request.',
    ACCOUNT: 'A person of the account that is linked with the client now.',
    FORMER_ACCOUNT: 'A person of an account that was linked with the client then.',
    OPERATOR: 'An operator of the platform.',
    PLATFORM: 'The platform itself.',
  },
  {
    CLIENT: ['Requisição assinada', 'Signed request'],
    ACCOUNT: ['Pessoa da conta ligada', 'Person of the linked account'],
    FORMER_ACCOUNT: ['Pessoa de uma conta antes ligada', 'Person of an account linked before'],
    OPERATOR: ['Operador da plataforma', 'Operator of the platform'],
    PLATFORM: ['Plataforma', 'Platform'],
  },
);

@ObjectType({
  simpleResolvers: true,
  description: 'An act in the name of a client, or about it, as people of its account may know it.',
})
export class OriginatorActivity extends fields({
  id: id('Identifier of the act within the list.'),
  at: time('Time of the act.'),
  kind: of(() => ActivityKindEnum, 'Kind of the act.'),
  actor: of(() => ActivityActorEnum, 'Who acted.'),
  creditBatchId: nullable.id('Id of the credit batch (UUID); null for other acts.'),
  settlementBatchId: nullable.id('Id of the settlement batch (UUID); null for other acts.'),
  keyFingerprint: nullable.text('SHA-256 of the key in DER, in hexadecimal, for an act about a key; null for others.'),
}) {}

export const OriginatorActivityConnection = connectionType(OriginatorActivity, {
  name: 'OriginatorActivity',
  nodes: 'acts',
  order: 'newest first',
});

/** An act, with the id of the estate that it is about. */
export type ActivityShape = Shape<OriginatorActivity> & { readonly patrimonyId: string | null };

/** @param accountId the account that is linked with the originator */
export function toActivity(row: ActivityRow, accountId: string | null): ActivityShape {
  const { id, part, at, kind, creditBatchId, settlementBatchId, fingerprint: keyFingerprint, patrimonyId } = row;
  return {
    id: `${id}-${String(part)}`,
    at,
    kind: kind ?? kindOf(row),
    actor: actorOf(row, accountId),
    creditBatchId,
    settlementBatchId,
    keyFingerprint,
    patrimonyId,
  };
}
