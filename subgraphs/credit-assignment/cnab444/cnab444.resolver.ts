import { Arg, Ctx, ID, Mutation, Resolver, ObjectType } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { AtMost, maxFileLength } from '../../../shared/graphql/constraint.js';
import { createCreditBatchFromFile, createSettlementBatchFromFile } from '../files/create-from-file.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { findEstateNamed } from '../estates/estate.store.js';
import { asClient } from '../originators/acting-originator.js';
import { lockOriginator } from '../originators/originator.store.js';
import { decimal, fields, id, int } from '../../../shared/graphql/fields.js';

const originatorText = 'Id of the client for which the batch is created';

@Resolver()
export class Cnab444OperatorResolver {
  @Access('operator', 'originate')
  @Mutation(() => CnabBatch, {
    description:
      'Creates a credit batch in DRAFT from an assignment file on behalf of a client. Errors: those of `createCreditBatchFromFile`; 404 when the client does not exist.',
  })
  async takeInAssignmentFile(
    @Ctx() context: Context,
    @Arg('originatorId', () => ID, { description: originatorText }) originatorId: string,
    @Arg('patrimony', () => String, { description: 'Id or ticker of the estate that receives the credits' })
    patrimony: string,
    @AtMost({ maxLength: maxFileLength })
    @Arg('file', () => String, { description: 'CNAB 444 file with records of occurrence 01' })
    file: string,
  ): Promise<Shape<CnabBatch>> {
    const { id: ownerId } = await lockOriginator(context, originatorId);
    const estate = await findEstateNamed(context, patrimony);
    if (estate === undefined) throw new ApiError('UNPROCESSABLE', { message: `There is no estate ${patrimony}` });
    const client = asClient(context, ownerId);
    const sent = { format: 'CNAB444', text: file } as const;
    const { id, lineCount, total } = await createCreditBatchFromFile(client, estate.id, sent, 'ALL_OR_NOTHING');
    const subject = { type: 'creditBatch', id } as const;
    await recordAudit(context, { action: 'takeInAssignmentFile', subject, after: { originatorId: ownerId } });
    return { id, count: lineCount, total };
  }

  @Access('operator', 'originate')
  @Mutation(() => CnabBatch, {
    description:
      'Creates a settlement batch in DRAFT from a settlement file on behalf of a client. Errors: those of `createSettlementBatchFromFile`; 404 when the client does not exist.',
  })
  async takeInSettlementFile(
    @Ctx() context: Context,
    @Arg('originatorId', () => ID, { description: originatorText }) originatorId: string,
    @Arg('creditBatchId', () => ID, { description: 'Id of the credit batch whose contracts were paid' })
    creditBatchId: string,
    @AtMost({ maxLength: maxFileLength })
    @Arg('file', () => String, { description: 'CNAB 444 file with records of the occurrences 04, 14, 75 and 77' })
    file: string,
  ): Promise<Shape<CnabBatch>> {
    const { id: ownerId } = await lockOriginator(context, originatorId);
    const client = asClient(context, ownerId);
    const sent = { format: 'CNAB444', text: file } as const;
    const { id, lineCount, total } = await createSettlementBatchFromFile(client, creditBatchId, sent);
    const subject = { type: 'settlementBatch', id } as const;
    await recordAudit(context, { action: 'takeInSettlementFile', subject, after: { originatorId: ownerId } });
    return { id, count: lineCount, total };
  }
}

@ObjectType({ simpleResolvers: true, description: 'A batch in DRAFT that was created from a CNAB 444 file.' })
class CnabBatch extends fields({
  id: id('Id (UUID) of the credit batch or the settlement batch'),
  count: int('Number of details in the file: contracts or payments'),
  total: decimal('Total face value or total amount paid, in BRL with 2 decimals'),
}) {}
