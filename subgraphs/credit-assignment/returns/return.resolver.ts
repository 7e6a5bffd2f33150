import { Arg, Ctx, Directive, ID, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError, requireFound } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import { requireBatch } from '../batches/require-batch.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { readTerms } from '../estates/assignment.js';
import { findEstate } from '../estates/estate.store.js';
import type { ErrorLanguage } from '../files/error-file.js';
import { ErrorLanguageEnum } from '../files/file-check.type.js';
import { readScope } from '../originators/visible-originators.js';
import { cessionTerm } from './cession-term.js';
import { returnFile, type Download } from './return-file.js';
import { fields, text } from '../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'A file about a credit batch.' })
class BatchDownload extends fields({
  fileName: text('Name of the file'),
  mediaType: text('Media type of the file'),
  content: text('The bytes of the file, in Base64'),
}) {}

const idText = 'Id of the batch (UUID)';

@Resolver()
export class CreditBatchReturnResolver {
  @Directive('@cost(weight: 1000)')
  @Access('originator', readScope)
  @Query(() => BatchDownload, {
    description:
      'The refused contracts of a credit batch that is PROCESSED or REJECTED, each with its errors, in the format in which the batch was sent. REST: GET /tidc/v1/credit-batches/{id}/return-file. Errors: 404 code 2001; 409 code 2002 for a batch in any other status.',
  })
  async creditBatchReturnFile(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @Arg('language', () => ErrorLanguageEnum, {
      defaultValue: 'PT_BR',
      description: 'Language of the errors in a CSV file; JSON has both',
    })
    language: ErrorLanguage,
  ): Promise<BatchDownload> {
    const batch = await decidedBatch(context, id, ['PROCESSED', 'REJECTED']);
    const { originatorName } = await readTerms(context, batch.originatorId, batch.patrimonyId);
    return toDownload(await returnFile(context, batch, originatorName, language));
  }

  @Directive('@cost(weight: 1000)')
  @Access('originator', readScope)
  @Query(() => BatchDownload, {
    description:
      'The term of cession of the accepted contracts of a PROCESSED credit batch, as PDF in Portuguese, with totals and lines for signatures. REST: GET /tidc/v1/credit-batches/{id}/cession-term. Errors: 404 code 2001; 409 code 2002 for a batch in any other status.',
  })
  async cessionTerm(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
  ): Promise<BatchDownload> {
    const batch = await decidedBatch(context, id, ['PROCESSED']);
    const { originatorName } = await readTerms(context, batch.originatorId, batch.patrimonyId);
    const estate = requireFound(await findEstate(context, batch.patrimonyId), 'There is no such estate');
    return toDownload(await cessionTerm(context, batch, { originatorName, estate }));
  }
}

async function decidedBatch(
  context: Context,
  id: string,
  statuses: readonly CreditBatchRow['status'][],
): Promise<CreditBatchRow> {
  const batch = await requireBatch(context, creditBatches, id);
  if (statuses.includes(batch.status)) return batch;
  throw new ApiError('BATCH_STATUS', {
    message: `The batch is ${batch.status}: this file exists only for a batch that is ${statuses.join(' or ')}`,
  });
}

function toDownload({ fileName, mediaType, bytes }: Download): BatchDownload {
  return { fileName, mediaType, content: bytes.toString('base64') };
}
