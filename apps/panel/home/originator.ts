import { decimal, money, plural } from '../frame/language.js';
import { graph } from './graph.js';
import { itemOf, pathOf, type View } from './item.js';
import { homeTexts } from './texts.js';

const batches = '/originador/lotes';
const dayMs = 86_400_000;
const days = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' });

export async function readOriginator(nowMs: number): Promise<View> {
  const dayAfter = (count: number) => days.format(nowMs + count * dayMs);
  const [week, yesterday, today, soon] = [dayAfter(-7), dayAfter(-1), dayAfter(0), dayAfter(7)];
  const data = await graph.query('originator', { week, yesterday, today, soon });
  const { originator: text, rejected } = homeTexts.get();
  const refused = data.decided.nodes.filter(({ refusedCount }) => (refusedCount ?? 0) > 0);
  const [first] = refused;
  const [draft] = data.drafts.nodes;
  const toBatches = (rows: readonly { readonly id: string }[], status: string) => {
    const to = pathOf(batches, rows);
    return to === batches ? { to, search: { status } } : { to };
  };
  const rejections = data.myOriginators.reduce((sum, { recentRejections }) => sum + recentRejections, 0);
  return {
    figures: (['open', 'due', 'overdue'] as const).map((name) => ({
      label: text[name],
      value: money(data[name].openBalance),
      note: plural(data[name].count, text.contracts),
    })),
    items: [
      ...itemOf(rejections, rejected, { tone: 'bad', to: batches, search: { status: 'REJECTED', from: week } }),
      ...itemOf(data.settlements.totalCount, text.settlements, {
        tone: 'bad',
        to: '/originador/liquidacoes',
        search: { status: 'REJECTED', from: week },
      }),
      ...itemOf(refused.length, text.refused, {
        tone: 'warn',
        hasMore: data.decided.pageInfo.hasNextPage,
        note: first && text.refusedBatch(first.name, decimal(first.refusedCount), decimal(first.receivableCount)),
        ...toBatches(refused, 'PROCESSED'),
      }),
      ...itemOf(data.overdue.count, text.overdueContracts, {
        tone: 'warn',
        note: money(data.overdue.openBalance),
        to: '/originador/recebiveis',
        search: { status: 'OPEN', ate: yesterday },
      }),
      ...itemOf(data.drafts.totalCount, text.drafts, {
        tone: 'plain',
        note: draft?.name,
        ...toBatches(data.drafts.nodes, 'DRAFT'),
      }),
      ...itemOf(data.due.count, text.dueContracts, {
        tone: 'plain',
        note: money(data.due.openBalance),
        to: '/originador/recebiveis',
        search: { status: 'OPEN', de: today, ate: soon },
        page: undefined,
      }),
    ],
  };
}
