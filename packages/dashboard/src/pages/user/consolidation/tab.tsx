import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { ConsolidationCatalogWire, ConsolidationConfigurationWire } from '@tributary/contract';
import { useState } from 'react';
import { configurationQuery, consolidationCatalogQuery } from '../../../api/consolidation.ts';
import { useRefusal } from '../../../api/role.ts';
import { sessionQuery } from '../../../api/session.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Curl } from '../../../components/overlays/command.tsx';
import { Empty, ErrorBox, Notice, Skeleton } from '../../../components/feedback/feedback.tsx';
import { Card } from '../../../components/page.tsx';
import { Switch } from '../../../components/controls/switch.tsx';
import { isEmpty, noDraft, patchOf, withProvider, type Draft } from './draft.ts';
import { ConsolidationPreview } from './preview.tsx';
import './consolidation.css';
import { useProviderNames } from '../devices/device-state.tsx';
import { MethodTable } from './method-table.tsx';
import { usePerson } from '../person.ts';
import { useRebuild } from './use-rebuild.ts';
import { HiddenValuesNotice } from '../health/values-grid.tsx';

/** Consolidation settings: providers and methods on the left, the preview on the right. */
export function ConsolidationTab({ settingKey }: { settingKey: string | null }) {
  const { whose } = usePerson();
  const stored = useQuery(configurationQuery(whose));
  const catalog = useQuery(consolidationCatalogQuery(whose.environment));
  const error = stored.error ?? catalog.error;
  if (stored.data && catalog.data)
    return <Settings stored={stored.data} catalog={catalog.data} settingKey={settingKey} />;
  if (error)
    return (
      <ErrorBox
        error={error}
        title="Could not load settings."
        onRetry={() => (void stored.refetch(), void catalog.refetch())}
      />
    );
  return <Skeleton heights={[120, 420]} label="Loading settings" />;
}

interface SettingsProps {
  stored: ConsolidationConfigurationWire;
  catalog: ConsolidationCatalogWire;
  settingKey: string | null;
}

function Settings({ stored, catalog, settingKey }: SettingsProps) {
  const { user, whose } = usePerson();
  const [draft, setDraft] = useState<Draft>(noDraft);
  const { isRebuilding, saving } = useRebuild(whose, () => setDraft(noDraft));
  const { role } = useSuspenseQuery(sessionQuery).data;
  const refusal = useRefusal('developer', 'change settings');
  const isWalled = role === 'viewer' && whose.environment === 'live';
  const patch = patchOf(draft, stored);
  const isChanged = !isEmpty(draft);
  const path = `/v1/users/${user.id}/consolidation`;
  return (
    <div className="consolidation">
      <div className="stack">
        <ProvidersCard stored={stored} draft={draft} onDraft={setDraft} />
        <MethodTable {...{ stored, catalog, draft, settingKey }} onDraft={setDraft} />
      </div>
      <div className="consolidation-side">
        <Card
          title="Preview"
          note="Effect on the last 30 days. Nothing changes until you save."
          actions={
            isChanged ? <Curl method="PATCH" path={path} body={patch} /> : <Curl method="GET" path={path} />
          }
        >
          <div className="stack">
            {isRebuilding && (
              <Notice title="Recomputing." live>
                Your settings are saved. Values update shortly.
              </Notice>
            )}
            {isWalled ? (
              <HiddenValuesNotice />
            ) : isChanged ? (
              <ConsolidationPreview patch={patch} />
            ) : (
              !isRebuilding && (
                <p className="quiet">Choose another method or turn off a provider to see the effect.</p>
              )
            )}
            {saving.error && <ErrorBox error={saving.error} title="Settings not saved." />}
            <div className="row end">
              <Button isDisabled={!isChanged} onPress={() => setDraft(noDraft)}>
                Discard changes
              </Button>
              <Button
                kind="primary"
                reason={refusal}
                isDisabled={!isChanged}
                isPending={saving.isPending && !isRebuilding}
                onPress={() => saving.mutate(patch)}
              >
                Save changes
              </Button>
            </div>
          </div>
        </Card>
      </div>
    </div>
  );
}

interface ProvidersCardProps {
  stored: ConsolidationConfigurationWire;
  draft: Draft;
  onDraft: (draft: Draft) => void;
}

function ProvidersCard({ stored, draft, onDraft }: ProvidersCardProps) {
  const { whose } = usePerson();
  const nameOf = useProviderNames(whose.environment);
  if (stored.providers.length === 0)
    return (
      <Card title="Providers" padded={false}>
        <Empty title="Providers will appear here once a device is connected." />
      </Card>
    );
  return (
    <Card title="Providers" note="Disabled providers are excluded from all values.">
      <div className="provider-switches">
        {stored.providers.map(({ provider, enabled }) => (
          <Switch
            key={provider}
            isSelected={draft.providers[provider] ?? enabled}
            onChange={(on) => onDraft(withProvider(draft, stored, provider, on))}
          >
            {nameOf(provider)}
          </Switch>
        ))}
      </div>
    </Card>
  );
}
