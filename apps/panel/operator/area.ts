import type { Area } from '../frame/area.js';
import type { BrowserSession } from '../frame/session.js';

/** Whether an operator has a role; `read` is part of every other one. */
const has =
  (role: string) =>
  ({ scopes }: BrowserSession) =>
    scopes.includes(role);

/** What operators do. Each page is there for those whose roles permit what it reads. */
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
    { to: '/operacao/trabalhos', text: ({ operator }) => operator.work },
    { to: '/operacao/webhooks', text: ({ operator }) => operator.webhooks },
    { to: '/operacao/auditoria', text: ({ operator }) => operator.audit, appliesTo: has('administer') },
    { to: '/operacao/contas', text: ({ operator }) => operator.accounts, appliesTo: has('administer') },
    { to: '/operacao/operadores', text: ({ operator }) => operator.operators, appliesTo: has('administer') },
  ],
};
