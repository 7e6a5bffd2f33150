import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Autocomplete, Input, Label, Menu, MenuItem, SearchField } from 'react-aria-components';
import { Dialog } from '../../design/controls/controls.js';
import { areas, developerArea, operatorArea, originatorArea, tradingArea, pagesOf, type Area } from '../areas.js';
import { thrownFailure, type Failure } from '../frame/failure.js';
import { language, moment } from '../frame/language.js';
import { FailureNotice } from '../frame/parts.js';
import type { BrowserSession } from '../frame/session.js';
import { site } from '../frame/site.js';
import { frameTexts } from '../frame/texts.js';
import { tradingTexts } from '../texts.js';
import { useSettled } from '../frame/use-graph.js';
import { filterOf } from '../trading/order-state.js';
import { currentWallet } from '../trading/wallet.js';
import { graph } from './graph/operations.js';

const mostShown = 12;

/** The search over screens and rows, by which the keyboard reaches all of the panel. */
export function Palette({ session, onClose }: { readonly session: BrowserSession; readonly onClose: () => void }) {
  const { find } = frameTexts.get();
  const router = useRouter();
  const [text, setText] = useState('');
  const { rows, failure } = useRows(session, text.trim());
  const pages = pageTargets(session).filter(({ name, note }) => hasWords(`${name} ${note}`, text.trim()));
  const targets = [...pages, ...rows].slice(0, mostShown);
  const go = (target: Target | undefined) => {
    if (target === undefined) return;
    onClose();
    if ('to' in target) void router.navigate({ to: target.to, search: target.search ?? {} });
    else location.assign(target.href);
  };
  return (
    <Dialog title={find.title} isOpen onClose={onClose}>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <SearchField className="field" autoFocus>
          <Label>{find.label}</Label>
          <Input />
        </SearchField>
        <FailureNotice failure={failure} />
        <Menu
          className="found"
          aria-label={find.title}
          onAction={(id) => go(targets.find((target) => idOf(target) === id))}
          renderEmptyState={() => find.nothing}
        >
          {targets.map((target) => (
            <MenuItem key={idOf(target)} id={idOf(target)} textValue={target.name}>
              <span>{target.name}</span> <span className="muted">{target.note}</span>
            </MenuItem>
          ))}
        </Menu>
      </Autocomplete>
    </Dialog>
  );
}

const idOf = (target: Target): string => ('to' in target ? `${target.to} ${target.id ?? ''}` : target.href);

/** Returns the rows for a text once typing has paused; until then, the rows for the text before. */
function useRows(
  session: BrowserSession,
  text: string,
): { readonly rows: readonly Target[]; readonly failure?: Failure } {
  const settled = useSettled(text);
  const [found, setFound] = useState<{ readonly rows: readonly Target[]; readonly failure?: Failure }>({ rows: [] });
  useEffect(() => {
    if (settled === '') return setFound({ rows: [] });
    let isOver = false;
    const show = (next: typeof found) => {
      if (!isOver) setFound(next);
    };
    findRows(session, settled).then(
      (rows) => show({ rows }),
      (error: unknown) => show({ rows: [], failure: thrownFailure(error) }),
    );
    return () => {
      isOver = true;
    };
  }, [session, settled]);
  return found;
}

/** Something that the search leads to: a screen, or an address of the public pages. */
type Target = { readonly name: string; readonly note: string } & (
  | { readonly to: string; readonly search?: Readonly<Record<string, string>>; readonly id?: string }
  | { readonly href: string }
);

function pageTargets(session: BrowserSession): readonly Target[] {
  const { areas: texts, start } = frameTexts.get();
  const pages = areas
    .filter(({ appliesTo }) => appliesTo(session))
    .flatMap((area) =>
      pagesOf(area, session).map(({ to, text }) => ({ to, name: text(texts), note: area.title(texts) })),
    );
  return [{ to: '/', name: start, note: '' }, ...pages];
}

const rowsOf: readonly (readonly [Area, (text: string) => Promise<readonly Target[]>])[] = [
  [originatorArea, batchesWith],
  [developerArea, webhooksWith],
  [operatorArea, companiesWith],
  [tradingArea, tradesWith],
];

/** Returns the rows of the graph that a text finds: batches by number, others by a part of their names, and operations, which companies that trade may not read, also by code or CNPJ. */
async function findRows(session: BrowserSession, text: string): Promise<readonly Target[]> {
  const found = rowsOf.filter(([{ appliesTo }]) => appliesTo(session)).map(([, read]) => read(text));
  if (!tradingArea.appliesTo(session)) found.unshift(operationsWith(text));
  return (await Promise.all(found)).flat();
}

/** Whether a text has all of the words, without regard to case and accents. */
function hasWords(text: string, words: string): boolean {
  const plain = (one: string) => one.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain(words)
    .split(/\s+/)
    .every((word) => plain(text).includes(word));
}

async function operationsWith(text: string): Promise<readonly Target[]> {
  // Where operators have a site of their own, it has no public pages.
  if (site === 'operators') return [];
  const { operations } = await graph.query('findOperations', { text });
  return operations.nodes.map(({ ticker, name, slug }) => ({
    name,
    note: ticker,
    href: `${language.prefix}/emissoes/${slug}`,
  }));
}

async function batchesWith(text: string): Promise<readonly Target[]> {
  const number = /(?<!\d)0*(\d{1,6})\s*$/.exec(text)?.[1];
  if (number === undefined) return [];
  const { creditBatches, settlementBatches } = await graph.query('findBatches', { number: Number(number) });
  const { originator } = frameTexts.get().areas;
  return [
    ...creditBatches.nodes.map((batch) => ({
      name: `${originator.batches} ${batch.number}`,
      note: batch.name,
      to: `/originador/lotes/${batch.id}`,
    })),
    ...settlementBatches.nodes.map((batch) => ({
      name: `${originator.settlements} ${batch.number}`,
      note: moment(batch.createdAt),
      to: `/originador/liquidacoes/${batch.id}`,
    })),
  ];
}

async function webhooksWith(text: string): Promise<readonly Target[]> {
  const { webhooks } = await graph.query('findWebhooks', {});
  return webhooks.items
    .filter(({ url, description }) => hasWords(`${url} ${description ?? ''}`, text))
    .map(({ id, url }) => ({ name: url, note: 'Webhook', to: `/desenvolvedor/webhooks/${id}` }));
}

async function companiesWith(text: string): Promise<readonly Target[]> {
  const { tradingCompanies, originators } = await graph.query('findCompanies', {});
  const { operator } = frameTexts.get().areas;
  const named = (rows: readonly { readonly id: string; readonly name: string }[], note: string, path: string) =>
    rows.filter(({ name }) => hasWords(name, text)).map(({ id, name }) => ({ name, note, to: `${path}/${id}` }));
  return [
    ...named(tradingCompanies, operator.companies, '/operacao/empresas'),
    ...named(originators, operator.originators, '/operacao/originadores'),
  ];
}

/** Finds markets, and the newest orders of the wallet with a market, side, status or id. */
async function tradesWith(text: string): Promise<readonly Target[]> {
  const [{ markets, fetchOrders }] = await Promise.all([
    graph.query('findTrading', currentWallet()),
    tradingTexts.load(),
  ]);
  const { trading } = frameTexts.get().areas;
  const { order, orders } = tradingTexts.get();
  return [
    ...markets
      .filter(({ symbol }) => hasWords(symbol, text))
      .map(({ symbol }) => ({ name: symbol, note: trading.markets, to: `/negociacao/mercados/${symbol}` })),
    ...fetchOrders.orders
      .map(({ orderId, symbol, side, status, createdAt }) => ({
        id: orderId,
        name: `${order.sides[side]} ${symbol}`,
        note: `${trading.orders} · ${orders.states[status]} · ${moment(createdAt)}`,
        to: '/negociacao/ordens',
        search: { status: filterOf(status) },
      }))
      .filter(({ id, name, note }) => hasWords(`${name} ${note} ${id}`, text)),
  ];
}
