import type { BrowserSession } from './frame/session.js';
import type { InLanguage } from '../design/texts.js';
import type { texts } from './frame/messages.js';

type Names = InLanguage<typeof texts.areas>;

/** A part of the panel for one kind of user: a folder with routes, documents and texts. */
export interface Area {
  /** Whether somebody may see it. It only hides pages: what a caller may do, the graph decides. */
  readonly appliesTo: (session: BrowserSession) => boolean;
  readonly title: (texts: Names) => string;
  readonly pages: readonly AreaPage[];
}

interface AreaPage {
  readonly to: string;
  readonly text: (texts: Names) => string;
  /** Whether somebody who may see the area may see the page; everyone where it is absent. */
  readonly appliesTo?: Area['appliesTo'];
}

export const tradingArea: Area = {
  appliesTo: ({ kind }) => kind === 'TRADER',
  title: ({ trading }) => trading.title,
  pages: [
    { to: '/negociacao/mercados', text: ({ trading }) => trading.markets },
    { to: '/negociacao/ordens', text: ({ trading }) => trading.orders },
    { to: '/negociacao/saldos', text: ({ trading }) => trading.balances },
    { to: '/negociacao/transferencias', text: ({ trading }) => trading.transfers },
  ],
};

export const originatorArea: Area = {
  appliesTo: ({ kind, scopes }) => kind === 'ACCOUNT' && scopes.includes('originator'),
  title: ({ originator }) => originator.title,
  pages: [
    { to: '/originador/lotes', text: ({ originator }) => originator.batches },
    { to: '/originador/liquidacoes', text: ({ originator }) => originator.settlements },
    { to: '/originador/enviar', text: ({ originator }) => originator.send },
    { to: '/originador/recebiveis', text: ({ originator }) => originator.receivables },
    { to: '/originador/extrato', text: ({ originator }) => originator.statement },
    { to: '/originador/patrimonios', text: ({ originator }) => originator.estates },
    { to: '/originador/chaves', text: ({ originator }) => originator.keys },
    { to: '/originador/atividade', text: ({ originator }) => originator.activity },
  ],
};

/** Whether an operator has a role; `read` is part of every other one. */
const has =
  (role: string) =>
  ({ scopes }: BrowserSession) =>
    scopes.includes(role);

/** Pages of operators, each shown only to roles that may read its data. */
export const operatorArea: Area = {
  appliesTo: ({ kind }) => kind === 'OPERATOR',
  title: ({ operator }) => operator.title,
  pages: [
    { to: '/operacao/originadores', text: ({ operator }) => operator.originators },
    { to: '/operacao/empresas', text: ({ operator }) => operator.companies },
    { to: '/operacao/mesa', text: ({ operator }) => operator.desk },
    { to: '/operacao/importacoes', text: ({ operator }) => operator.imports, appliesTo: has('publish') },
    { to: '/operacao/indices', text: ({ operator }) => operator.indexValues },
    { to: '/operacao/pagamentos', text: ({ operator }) => operator.payments, appliesTo: has('publish') },
    { to: '/operacao/relatorios', text: ({ operator }) => operator.months, appliesTo: has('publish') },
    { to: '/operacao/trabalhos', text: ({ operator }) => operator.work },
    { to: '/operacao/webhooks', text: ({ operator }) => operator.webhooks },
    { to: '/operacao/auditoria', text: ({ operator }) => operator.audit, appliesTo: has('administer') },
    { to: '/operacao/contas', text: ({ operator }) => operator.accounts, appliesTo: has('administer') },
    { to: '/operacao/operadores', text: ({ operator }) => operator.operators, appliesTo: has('administer') },
  ],
};

export const developerArea: Area = {
  appliesTo: ({ kind }) => kind === 'ACCOUNT',
  title: ({ developer }) => developer.title,
  pages: [
    { to: '/desenvolvedor/chaves', text: ({ developer }) => developer.keys },
    { to: '/desenvolvedor/requisicoes', text: ({ developer }) => developer.requests },
    { to: '/desenvolvedor/webhooks', text: ({ developer }) => developer.webhooks },
    { to: '/desenvolvedor/emissoes', text: ({ developer }) => developer.followed },
    { to: '/desenvolvedor/eventos', text: ({ developer }) => developer.live },
  ],
};

const accountArea: Area = {
  appliesTo: () => true,
  title: ({ account }) => account.title,
  pages: [
    { to: '/conta/seguranca', text: ({ account }) => account.security },
    { to: '/conta/sessoes', text: ({ account }) => account.sessions },
    { to: '/conta/dados', text: ({ account }) => account.profile, appliesTo: ({ kind }) => kind === 'ACCOUNT' },
  ],
};

/** The areas in the order of the navigation. The first page of the first area that applies to a session is its start. */
export const areas: readonly Area[] = [operatorArea, tradingArea, originatorArea, developerArea, accountArea];

export function pagesOf({ pages }: Area, session: BrowserSession): readonly AreaPage[] {
  return pages.filter(({ appliesTo }) => appliesTo?.(session) !== false);
}
