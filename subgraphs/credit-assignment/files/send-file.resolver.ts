import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { AtMost, maxFileLength } from '../../../shared/graphql/constraint.js';
import { toCreditBatch, type CreditBatchShape } from '../credit-batches/credit-batch.graph.js';
import { CreditBatch } from '../credit-batches/credit-batch.type.js';
import { actAsOriginator } from '../originators/acting-originator.js';
import { toSettlementBatch, type SettlementBatchShape } from '../settlement-batches/settlement-batch.graph.js';
import { SettlementBatch } from '../settlement-batches/settlement-batch.type.js';
import { createCreditBatchFromFile, createSettlementBatchFromFile } from './create-from-file.js';
import { FileFormatEnum } from './file-check.type.js';
import { originatorText } from './file-check.resolver.js';
import type { FileFormat } from './file-format.js';

const errorsText =
  'Errors: 403 for an account that may not send for the client; 404 for a client that the caller may not see; those of';

@Resolver()
export class SendFileResolver {
  @Access('sender')
  @Mutation(() => CreditBatch, {
    description: `Creates a credit batch in DRAFT from an assignment file. ${errorsText} \`createCreditBatch\`, by place in the file.`,
  })
  async createCreditBatchFromFile(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { description: 'Id of the estate that receives the credits (UUID)' })
    patrimonyId: string,
    @Arg('format', () => FileFormatEnum, { description: 'Format of the file' }) format: FileFormat,
    @AtMost({ maxLength: maxFileLength })
    @Arg('file', () => String, { description: 'The file, with 1 to 50,000 contracts' })
    text: string,
    @Arg('originatorId', () => ID, { nullable: true, description: originatorText })
    originatorId: string | null | undefined,
  ): Promise<CreditBatchShape> {
    const named = { action: 'createCreditBatchFromFile', type: 'creditBatch' } as const;
    const act = (client: Context) => createCreditBatchFromFile(client, patrimonyId, { format, text });
    return toCreditBatch(await actAsOriginator(context, originatorId ?? null, named, act));
  }

  @Access('sender')
  @Mutation(() => SettlementBatch, {
    description: `Creates a settlement batch in DRAFT from a settlement file, which identifies contracts by their external ids. ${errorsText} \`createSettlementBatch\`, by place in the file; 422 for a contract that is not in the credit batch.`,
  })
  async createSettlementBatchFromFile(
    @Ctx() context: Context,
    @Arg('creditBatchId', () => ID, { description: 'Id of the credit batch that assigned the contracts (UUID)' })
    creditBatchId: string,
    @Arg('format', () => FileFormatEnum, { description: 'Format of the file' }) format: FileFormat,
    @AtMost({ maxLength: maxFileLength })
    @Arg('file', () => String, { description: 'The file, with 1 to 50,000 payments' })
    text: string,
    @Arg('originatorId', () => ID, { nullable: true, description: originatorText })
    originatorId: string | null | undefined,
  ): Promise<SettlementBatchShape> {
    const named = { action: 'createSettlementBatchFromFile', type: 'settlementBatch' } as const;
    const act = (client: Context) => createSettlementBatchFromFile(client, creditBatchId, { format, text });
    return toSettlementBatch(await actAsOriginator(context, originatorId ?? null, named, act));
  }
}
