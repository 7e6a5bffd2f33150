import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { correctionPages, toCorrection } from '../../../shared/corrections/correction.type.js';
import { correctionPager, type PageCorrections } from '../../../shared/corrections/page-corrections.js';
import type { CursorCodec } from '../../../shared/cursor.js';
import { requireFound } from '../../../shared/errors.js';
import { Access } from '../../../shared/subgraph/access.js';
import { toConnection, type Connection } from '../../../shared/subgraph/connection.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { findPatrimony } from '../patrimonies/patrimony.store.js';
import { findTranche } from '../tranches/tranche.store.js';
import { correctionSources } from './correction.sources.js';
import {
  graphNames,
  TokenizationCorrectionArgs,
  TokenizationCorrectionConnection,
  type TokenizationCorrection,
} from './correction.type.js';

@Resolver()
export class CorrectionResolver {
  private readonly page: PageCorrections;

  constructor(codec: CursorCodec) {
    this.page = correctionPager(codec, correctionSources, 2);
  }

  @Access('anyone')
  @Query(() => TokenizationCorrectionConnection, {
    description: `Changes and removals of published data about an estate or a series, or about all, newest first; every new version of unit prices and index values is included. Changes in the normal course are not corrections: a payment and its effects, a due date that passes, a change of status. ${correctionPages} Errors: 400 for arguments that are out of bounds and for an invalid cursor; 404 for an estate or a series that does not exist.`,
  })
  async tokenizationCorrections(
    @Ctx() context: Context,
    @Args(() => TokenizationCorrectionArgs) { patrimonyTicker, trancheTicker, ...pageArgs }: TokenizationCorrectionArgs,
  ): Promise<Connection<Shape<TokenizationCorrection>>> {
    const scope = [
      await idOf('estate', patrimonyTicker, (ticker) => findPatrimony(context, ticker)),
      await idOf('series', trancheTicker, (ticker) => findTranche(context, ticker)),
    ];
    const page = await this.page(context, scope, pageArgs);
    return toConnection(
      page,
      (row) => ({ ...toCorrection(row, graphNames), patrimonyTicker: row.subject }),
      page.count,
    );
  }
}

async function idOf(
  what: string,
  ticker: string | null | undefined,
  find: (ticker: string) => Promise<{ readonly id: string } | undefined>,
): Promise<string | null> {
  if (ticker == null) return null;
  const found = requireFound(await find(ticker), `There is no ${what} ${ticker}`);
  return found.id;
}
