import type { DataSource } from 'typeorm';
import { loadCalendar } from '../../shared/calendar/calendar.js';
import { readMigrations } from '../../shared/database/migrate.js';
import { lazily } from '../../shared/lazily.js';
import { buildSubgraph } from '../../shared/subgraph/build.js';
import type { Subgraph } from '../../shared/subgraph/subgraph.js';
import { AssetRow } from './assets/asset.entity.js';
import { PatrimonyRow } from './patrimonies/patrimony.entity.js';
import { patrimonyReference } from './patrimonies/patrimony.reference.js';
import { PatrimonyResolver } from './patrimonies/patrimony.resolver.js';
import { missingInputs } from './pricing/metrics.js';
import { unitPriceJob } from './pricing/unit-price.job.js';
import { ScheduleEntryRow } from './schedule/schedule-entry.entity.js';
import { TrancheRow } from './tranches/tranche.entity.js';

/** Rows that TypeORM maps; prices, index numbers, instalments of assets and totals are reached by plain SQL. */
export const tokenizationEntities = [PatrimonyRow, TrancheRow, ScheduleEntryRow, AssetRow];

export interface TokenizationParts {
  readonly dataSource: Pick<DataSource, 'manager'>;
}

/** The domain of tokenization, wired. Nothing is read from the database before it is needed. */
export function createTokenization({ dataSource }: TokenizationParts): Promise<Subgraph> {
  const calendar = lazily(() => loadCalendar(dataSource.manager));
  const { schema, sdl } = buildSubgraph({
    name: 'tokenization',
    resolvers: [new PatrimonyResolver()],
    references: { Patrimony: patrimonyReference },
  });
  return Promise.resolve({
    name: 'tokenization',
    schema,
    sdl,
    jobs: [unitPriceJob(calendar)],
    metrics: [missingInputs],
    entities: tokenizationEntities,
    migrations: { schema: 'tokenization', migrations: readMigrations(new URL('./migrations/', import.meta.url)) },
  });
}
