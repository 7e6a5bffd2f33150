import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { correctionPages, toCorrection } from '../../../shared/corrections/correction.type.js';
import { correctionPager, type PageCorrections } from '../../../shared/corrections/page-corrections.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { Access } from '../../../shared/subgraph/access.js';
import { toConnection, type Connection } from '../../../shared/subgraph/connection.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { findPublicOperation } from '../operations/operation.store.js';
import { correctionSources } from './correction.sources.js';
import {
  graphNames,
  OperationCorrectionArgs,
  OperationCorrectionConnection,
  type OperationCorrection,
} from './correction.type.js';

@Resolver()
export class CorrectionResolver {
  private readonly page: PageCorrections;

  constructor(codec: CursorCodec) {
    this.page = correctionPager(codec, correctionSources, 1);
  }

  @Access('data')
  @Query(() => OperationCorrectionConnection, {
    description: `Changes and removals of published data about one operation, or about all, newest first. Changes in the normal course are not corrections: a payment, delivery or resolution, a price of a new day, a balance of a later day, a change of status. Credits are not included. ${correctionPages} Errors: 400 for arguments that are out of bounds and for an invalid cursor; 404 for an operation that does not exist or is not public.`,
  })
  async operationCorrections(
    @Ctx() context: Context,
    @Args(() => OperationCorrectionArgs) { ticker, ...pageArgs }: OperationCorrectionArgs,
  ): Promise<Connection<Shape<OperationCorrection>>> {
    const operation = ticker == null ? undefined : await findPublicOperation(context, ticker);
    const page = await this.page(context, [operation?.id ?? null], pageArgs);
    return toConnection(
      page,
      (row) => ({ ...toCorrection(row, graphNames), operationTicker: row.subject ?? '' }),
      page.count,
    );
  }
}
