import { Link } from '@tanstack/react-router';
import { Empty, Facts, Section, Badge, noted, Table } from '../../design/basics.js';
import { ActButton } from '../frame/ask.js';
import { usePathPart } from '../frame/address.js';
import { date, decimal, money } from '../frame/language.js';
import { Loaded, Note, PageHead, useNote, textOf } from '../frame/parts.js';
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
import { WithdrawalsOf } from './desk-withdrawals.js';
import { graph, type Operations } from './graph/operations.js';
import { PartyFields } from './party-fields.js';
import { TextInput } from '../../design/controls/controls.js';
import { NumberInput, numberOf } from '../frame/number-input.js';
import { useState } from 'react';
import { PagedList, pageOf, usePages } from '../frame/paged-table.js';
import { exact } from '../trading/price.js';

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

type Profile = NonNullable<Operations['companyProfiles']['data']['tradingCompany']>['profiles']['profiles'][number];

function CompanyProfiles({ company: { id }, mayAct, onDone }: CompanyPart) {
  const { companies: text } = operatorTexts.get();
  const pages = usePages(
    graph,
    'companyProfiles',
    { id },
    ({ tradingCompany }) =>
      tradingCompany === null ? undefined : pageOf(tradingCompany.profiles.profiles, tradingCompany.profiles.nextToken),
    'nextToken',
  );
  const [changed, setChanged] = useState<ReadonlyMap<string, Profile['status']>>(new Map());
  const onChanged = ({ id: profileId }: Profile, status: Profile['status'], said: string) => {
    setChanged((before) => new Map(before).set(profileId, status));
    onDone(said);
  };
  return (
    <Section id="profiles" title={text.profiles}>
      <PagedList
        pages={pages}
        show={(rows) => (
          <ProfileTable
            rows={rows.map((one) => ({ ...one, status: changed.get(one.id) ?? one.status }))}
            onChanged={mayAct ? onChanged : undefined}
          />
        )}
      />
    </Section>
  );
}

function ProfileTable(props: {
  readonly rows: readonly Profile[];
  readonly onChanged: ((profile: Profile, status: Profile['status'], said: string) => void) | undefined;
}) {
  const { rows, onChanged } = props;
  const { companies: text, words } = operatorTexts.get();
  return (
    <Table
      caption={text.profiles}
      rows={rows}
      empty={text.noProfiles}
      columns={[
        { label: text.profile, kind: 'wide', cell: ({ id, name }) => noted(name, id) },
        {
          label: words.status,
          kind: 'nowrap',
          cell: ({ status }) => <Badge tone={status === 'ACTIVE' ? 'good' : 'bad'}>{text.profileStates[status]}</Badge>,
        },
        { label: words.since, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
        {
          label: words.acts,
          cell: (profile) =>
            onChanged === undefined ? null : (
              <ChangeProfile profile={profile} onChanged={(status, said) => onChanged(profile, status, said)} />
            ),
        },
      ]}
    />
  );
}

function ChangeProfile(props: {
  readonly profile: Profile;
  readonly onChanged: (status: Profile['status'], said: string) => void;
}) {
  const { profile, onChanged } = props;
  const { companies: text, words } = operatorTexts.get();
  const isActive = profile.status === 'ACTIVE';
  const act = isActive ? words.suspend : text.activate;
  const run = async () => {
    const { id } = profile;
    const status = isActive
      ? (await graph.mutate('suspendTradingProfile', { id })).suspendTradingProfile
      : (await graph.mutate('activateTradingProfile', { id })).activateTradingProfile;
    if (status === null) return;
    const isStill = !isActive && status === 'SUSPENDED';
    onChanged(status, isStill ? text.stillSuspended : text.profileChanged(profile.name, text.profileStates[status]));
  };
  return (
    <ActButton
      label={`${act}: ${profile.name}`}
      act={act}
      kind={isActive ? 'danger' : 'main'}
      text={isActive ? text.suspendProfileText : text.activateProfileText}
      run={run}
    />
  );
}

/** Limits on the withdrawals of a company: amounts in 24 hours, and a list of addresses. */
function CompanyWithdrawals({ company, mayAct, onDone }: CompanyPart) {
  const { companies: text, words } = operatorTexts.get();
  const { id, requiresWithdrawalList: isRequired, withdrawalLimits } = company;
  const onLimitSet = () => {
    onDone(text.limitSet);
  };
  return (
    <Section id="withdrawals" title={text.limits}>
      <Facts items={[[text.addresses, isRequired ? text.onlyListed : text.anyAddresses]]} />
      {mayAct ? (
        <div className="row">
          <ListRule company={company} onDone={onDone} />
          <SetLimit companyId={id} opens={text.setLimit} currency="" daily="" onDone={onLimitSet} />
        </div>
      ) : null}
      <Table
        caption={text.limits}
        rows={withdrawalLimits}
        keyOf={({ currency }) => currency}
        empty={text.noLimits}
        columns={[
          { label: words.currency, kind: 'nowrap', cell: ({ currency }) => currency },
          { label: text.daily, kind: 'number', cell: ({ daily }) => exact(daily) },
          {
            label: words.acts,
            cell: ({ currency, daily }) =>
              mayAct ? (
                <SetLimit companyId={id} opens={words.change} {...{ currency, daily }} onDone={onLimitSet} />
              ) : null,
          },
        ]}
      />
    </Section>
  );
}

function ListRule({ company, onDone }: Pick<CompanyPart, 'company' | 'onDone'>) {
  const { companies: text } = operatorTexts.get();
  const { id, requiresWithdrawalList: isRequired } = company;
  const act = isRequired ? text.anyAddress : text.onlyList;
  return (
    <ActButton
      act={act}
      text={isRequired ? text.anyAddressText : text.onlyListText}
      run={() => graph.mutate('requireWithdrawalList', { companyId: id, required: !isRequired })}
      onDone={() => onDone(isRequired ? text.anyAddresses : text.onlyListed)}
    />
  );
}

interface LimitProps {
  readonly currency: string;
  readonly daily: string;
}

function SetLimit(
  props: LimitProps & { readonly companyId: string; readonly opens: string; readonly onDone: () => void },
) {
  const { companyId, opens, onDone, ...limit } = props;
  const { companies: text, words } = operatorTexts.get();
  return (
    <ActButton
      label={`${opens} ${limit.currency}`.trim()}
      opens={opens}
      title={text.setLimit}
      act={words.save}
      fields={['currency', 'daily']}
      run={(values) => {
        const currency = textOf(values, 'currency').trim().toUpperCase();
        return graph.mutate('setWithdrawalLimit', { companyId, currency, daily: numberOf(values, 'daily', currency) });
      }}
      onDone={onDone}
    >
      <LimitFields {...limit} />
    </ActButton>
  );
}

function LimitFields({ currency: known, daily }: LimitProps) {
  const { companies: text, words } = operatorTexts.get();
  const [currency, setCurrency] = useState(known);
  return (
    <>
      <TextInput
        name="currency"
        label={words.currency}
        hint={text.currencyHint}
        value={currency}
        onChange={setCurrency}
        isReadOnly={known !== ''}
        maxLength={12}
        autoComplete="off"
        isRequired
      />
      <NumberInput
        name="daily"
        label={text.daily}
        hint={text.dailyHint}
        unit={currency.trim().toUpperCase()}
        defaultValue={daily}
      />
    </>
  );
}
