import { useState } from 'react';
import { Badge, Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table } from '../../design/table.js';
import { date } from '../frame/language.js';
import { FailureNotice, Loaded } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { ActDialog } from './act-dialog.js';
import type { CompanyPart } from './company-part.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { operatorTexts } from './texts.js';

type Page = NonNullable<Operations['companyProfiles']['data']['tradingCompany']>['profiles'];
type Profile = Page['profiles'][number];

/** The clients of a company, page by page. */
export function CompanyProfiles({ company: { id }, mayAct, open, onDone }: CompanyPart) {
  const { companies: text } = operatorTexts.get();
  const query = useQuery(graph, 'companyProfiles', { id });
  const action = useAction();
  const [others, setOthers] = useState<readonly Page[]>([]);
  const [changed, setChanged] = useState<ReadonlyMap<string, Profile['status']>>(new Map());
  return (
    <Section id="profiles" title={text.profiles}>
      <Loaded query={query}>
        {({ tradingCompany }) => {
          if (tradingCompany === null) return null;
          const pages = [tradingCompany.profiles, ...others];
          const nextToken = pages.at(-1)?.nextToken ?? null;
          const rows = pages
            .flatMap(({ profiles }) => profiles)
            .map((one) => ({ ...one, status: changed.get(one.id) ?? one.status }));
          const act = (profile: Profile) => {
            open((close) => (
              <ChangeProfile
                profile={profile}
                onClose={close}
                onDone={(status, said) => {
                  close();
                  setChanged((before) => new Map(before).set(profile.id, status));
                  onDone(said);
                }}
              />
            ));
          };
          return (
            <>
              <ProfileTable rows={rows} onAct={mayAct ? act : undefined} />
              <FailureNotice failure={action.failure} />
              {nextToken === null ? null : (
                <div className="pager">
                  <Button
                    isBusy={action.isBusy}
                    onPress={() => {
                      void action.run(async () => {
                        const next = await graph.query('companyProfiles', { id, nextToken });
                        const page = next.tradingCompany?.profiles;
                        if (page !== undefined) setOthers((before) => [...before, page]);
                      });
                    }}
                  >
                    {frameTexts.get().more}
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function ProfileTable({
  rows,
  onAct,
}: {
  readonly rows: readonly Profile[];
  readonly onAct: ((profile: Profile) => void) | undefined;
}) {
  const { companies: text } = operatorTexts.get();
  return (
    <Table
      caption={text.profiles}
      rows={rows}
      keyOf={({ id }) => id}
      empty={text.noProfiles}
      columns={[
        {
          label: text.profile,
          kind: 'wide',
          cell: ({ id, name }) => (
            <>
              {name}
              <span className="sub">{id}</span>
            </>
          ),
        },
        {
          label: text.status,
          kind: 'nowrap',
          cell: ({ status }) => <Badge tone={status === 'ACTIVE' ? 'good' : 'bad'}>{text.profileStates[status]}</Badge>,
        },
        { label: text.since, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
        {
          label: text.acts,
          cell: (profile) => {
            const act = profile.status === 'ACTIVE' ? text.suspend : text.activate;
            return onAct === undefined ? null : (
              <Button label={`${act}: ${profile.name}`} onPress={() => onAct(profile)}>
                {act}
              </Button>
            );
          },
        },
      ]}
    />
  );
}

function ChangeProfile(props: {
  readonly profile: Profile;
  readonly onClose: () => void;
  readonly onDone: (status: Profile['status'], said: string) => void;
}) {
  const { profile, onClose, onDone } = props;
  const { companies: text } = operatorTexts.get();
  const isActive = profile.status === 'ACTIVE';
  const act = isActive ? text.suspend : text.activate;
  const run = async () => {
    const { id } = profile;
    const status = isActive
      ? (await graph.mutate('suspendTradingProfile', { id })).suspendTradingProfile
      : (await graph.mutate('activateTradingProfile', { id })).activateTradingProfile;
    if (status === null) return;
    const isStill = !isActive && status === 'SUSPENDED';
    onDone(status, isStill ? text.stillSuspended : text.profileChanged(profile.name, text.profileStates[status]));
  };
  return (
    <ActDialog
      title={`${act}: ${profile.name}`}
      act={act}
      kind={isActive ? 'danger' : 'main'}
      onClose={onClose}
      run={run}
      onDone={onClose}
    >
      <p>{isActive ? text.suspendProfileText : text.activateProfileText}</p>
    </ActDialog>
  );
}
