import { Link } from '@tanstack/react-router';
import { Empty, Facts, Section } from '../../design/basics.js';
import { ActButton } from '../frame/ask.js';
import { usePathPart } from '../frame/address.js';
import { date, decimal, money } from '../frame/language.js';
import { Loaded, Note, PageHead, useNote } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { frameTexts } from '../frame/texts.js';
import { operatorTexts } from '../texts.js';
import { useQuery } from '../frame/use-graph.js';
import { CompanyStatus } from './companies.js';
import { CompanyCredentials } from './company-credentials.js';
import {
  type Company,
  changeOf,
  isCount,
  termFields,
  tiersOf,
  tiersText,
  unitOf,
  withFieldsOfTerms,
  type CompanyPart,
} from './company-fields.js';
import { CompanyProfiles } from './company-profiles.js';
import { CompanyWithdrawals } from './company-withdrawals.js';
import { WithdrawalsOf } from './desk-withdrawals.js';
import { graph } from './graph.js';
import { PartyFields } from './party-fields.js';
import { TextInput } from '../../design/controls/controls.js';
import { NumberInput } from '../frame/number-input.js';

export function CompanyPage() {
  const { companies: text, words } = operatorTexts.get();
  const id = usePathPart('id');
  const query = useQuery(graph, 'tradingCompany', { id });
  const mayAct = useSession()?.scopes.includes('trade') === true;
  const [note, onDone] = useNote(query.reload);
  const company = query.data?.tradingCompany ?? undefined;
  const parts = company === undefined ? undefined : { company, mayAct, onDone };
  return (
    <>
      <PageHead
        title={company?.name ?? words.company}
        lead={<Link to="/operacao/empresas">{text.back}</Link>}
        acts={parts !== undefined && mayAct ? <Acts {...parts} /> : undefined}
      />
      <Note>{note}</Note>
      <Loaded query={query}>
        {() =>
          parts === undefined ? (
            <Empty>{frameTexts.get().notFound}</Empty>
          ) : (
            <>
              <Summary company={parts.company} />
              <CompanyCredentials {...parts} />
              <CompanyWithdrawals {...parts} />
              <WithdrawalsOf key={`requested ${id}`} {...parts} />
              <CompanyProfiles key={id} {...parts} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Acts({ company, onDone }: CompanyPart) {
  const { companies: text, words } = operatorTexts.get();
  const isActive = company.status === 'ACTIVE';
  const act = isActive ? words.suspend : text.activate;
  return (
    <>
      <ActButton
        title={`${words.change}: ${company.name}`}
        opens={words.change}
        act={words.save}
        fields={['name', 'accountId', 'rateLimit', ...termFields, 'spreadTiers']}
        run={(values) => withFieldsOfTerms(() => graph.mutate('changeTradingCompany', changeOf(company, values)))}
        onDone={() => onDone(text.changed)}
      >
        <CompanyFields company={company} />
      </ActButton>
      <ActButton
        title={`${act}: ${company.name}`}
        act={act}
        kind={isActive ? 'danger' : 'main'}
        text={isActive ? text.suspendText : text.activateText}
        run={() => graph.mutate('changeTradingCompany', { id: company.id, status: isActive ? 'SUSPENDED' : 'ACTIVE' })}
        onDone={() => onDone(isActive ? text.suspended : text.activated)}
      />
    </>
  );
}

function Summary({ company }: { readonly company: Company }) {
  const { companies: text, words } = operatorTexts.get();
  const { id, accountId, rateLimit, status, createdAt, terms } = company;
  const limit = (value: string | null) => (value === null ? words.noLimit : money(value));
  const count = (value: number | null) => (value === null ? words.noLimit : decimal(value));
  // A rate as it was agreed: percentages have up to six decimals.
  const rate = (value: string) => `${decimal(value)}%`;
  const { spreadTiers } = terms;
  return (
    <Section id="terms" title={text.terms}>
      <Facts
        items={[
          [text.id, <code key="id">{id}</code>],
          [words.status, <CompanyStatus key="status" status={status} />],
          [words.since, date(createdAt)],
          [text.account, accountId === null ? text.none : <code key="account">{accountId}</code>],
          [text.rateLimit, rateLimit === null ? words.defaultLimit : decimal(rateLimit)],
          [text.makerFee, rate(terms.makerFee)],
          [text.takerFee, rate(terms.takerFee)],
          [text.maxOrderValue, limit(terms.maxOrderValue)],
          [text.maxOpenOrders, count(terms.maxOpenOrders)],
          [text.maxDailyVolume, limit(terms.maxDailyVolume)],
          [text.profileMaxOpenOrders, count(terms.profileMaxOpenOrders)],
          [text.profileMaxDailyVolume, limit(terms.profileMaxDailyVolume)],
          [text.maxQuotedValue, money(terms.maxQuotedValue)],
          [
            text.spreadTiers,
            spreadTiers === null
              ? text.defaultTiers
              : spreadTiers.map(({ aboveBrl, percent }) => text.tier(money(aboveBrl), rate(percent))).join('; '),
          ],
        ]}
      />
    </Section>
  );
}

const withoutHint = new Set<string>(['makerFee', 'takerFee', 'maxQuotedValue']);

function CompanyFields({ company }: { readonly company: Company }) {
  const { companies: text, words } = operatorTexts.get();
  return (
    <>
      <PartyFields of={company} text={text} accountHint={text.accountHint} />
      {termFields.map((name) => (
        <NumberInput
          key={name}
          name={name}
          label={text[name]}
          {...(withoutHint.has(name) ? { isRequired: true } : { hint: words.emptyForNone })}
          defaultValue={company.terms[name]}
          unit={unitOf(name)}
          isWhole={isCount(name)}
        />
      ))}
      <TextInput
        name="spreadTiers"
        label={text.spreadTiers}
        hint={text.spreadTiersHint}
        defaultValue={tiersText(company.terms.spreadTiers)}
        validate={(typed) => (tiersOf(typed) === undefined ? text.spreadTiersHint : undefined)}
        rows={3}
      />
    </>
  );
}
