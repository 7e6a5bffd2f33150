import { useState } from 'react';
import { Badge, noted, Section, Table } from '../../design/basics.js';
import { ActButton } from '../frame/ask.js';
import { date } from '../frame/language.js';
import { PagedList, pageOf, usePages } from '../frame/paged-table.js';
import type { CompanyPart } from './company-fields.js';
import { graph, type Operations } from './graph.js';
import { operatorTexts } from '../texts.js';

type Profile = NonNullable<Operations['companyProfiles']['data']['tradingCompany']>['profiles']['profiles'][number];

export function CompanyProfiles({ company: { id }, mayAct, onDone }: CompanyPart) {
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
