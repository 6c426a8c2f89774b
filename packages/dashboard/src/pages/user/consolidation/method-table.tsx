import type {
  ConsolidationCatalogWire,
  ConsolidationConfigurationWire,
  ConsolidationEntryWire,
} from '@tributary/contract';
import { useState } from 'react';
import { Badge } from '../../../components/feedback/badge.tsx';
import { Card } from '../../../components/page.tsx';
import { Table, type Column } from '../../../components/tables/table.tsx';
import { ToggleGroup } from '../../../components/controls/toggle-group.tsx';
import { isOn, withMethod, withSwitch, type Draft } from './draft.ts';
import { useProviderNames } from '../devices/device-state.tsx';
import { usePerson } from '../person.ts';

export interface MethodTableProps {
  stored: ConsolidationConfigurationWire;
  catalog: ConsolidationCatalogWire;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  /** The setting that the link points to. */
  settingKey: string | null;
}

/** One row per metric with its method and the included providers. */
export function MethodTable({ stored, catalog, draft, onDraft, settingKey }: MethodTableProps) {
  const { whose } = usePerson();
  const nameOf = useProviderNames(whose.environment);
  const requestedMetric = catalog.metrics.find(({ key }) => key === settingKey);
  const [category, setCategory] = useState(requestedMetric?.category ?? catalog.category_order[0]!);
  const rows = catalog.metrics.filter((entry) => entry.category === category);
  const columns = columnsOf({ stored, draft, onDraft, nameOf });
  return (
    <Card
      title="Methods"
      note="How values from several devices become one. Metrics without an override use the default method."
      padded={false}
    >
      <div className="method-categories">
        <ToggleGroup
          label="Category"
          options={catalog.category_order.map((one) => ({ value: one, label: one }))}
          value={category}
          onChange={setCategory}
        />
      </div>
      <Table
        label="Methods"
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
        copy={({ key }) => key}
        currentKey={settingKey}
      />
      <dl className="method-words">
        {catalog.methods.map(({ method, description }) => (
          <div key={method}>
            <dt>
              <code>{method}</code>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

interface ColumnsContext extends Pick<MethodTableProps, 'stored' | 'draft' | 'onDraft'> {
  nameOf: (provider: string) => string;
}

function columnsOf({ stored, draft, onDraft, nameOf }: ColumnsContext): Column<ConsolidationEntryWire>[] {
  return [
    {
      key: 'name',
      label: 'Metric',
      cell: ({ key, display_name }) => (
        <span className="method-name">
          {display_name}
          {stored.metrics.find((one) => one.key === key)?.overridden && <Badge tone="info">override</Badge>}
        </span>
      ),
    },
    {
      key: 'method',
      label: 'Method',
      cell: (entry) => (
        <select
          className="method-select"
          aria-label={`Method for ${entry.display_name}`}
          data-changed={draft.methods[entry.key] ? '' : undefined}
          value={draft.methods[entry.key] ?? stored.metrics.find((one) => one.key === entry.key)?.method}
          onChange={(event) => onDraft(withMethod(draft, stored, entry.key, event.target.value))}
        >
          {entry.allowed_methods.map((method) => (
            <option key={method} value={method}>
              {method}
            </option>
          ))}
        </select>
      ),
    },
    ...stored.providers.map(({ provider, enabled }): Column<ConsolidationEntryWire> => {
      const isOff = !(draft.providers[provider] ?? enabled);
      return {
        key: provider,
        label: nameOf(provider),
        wideOnly: true,
        cell: ({ key, display_name }) => (
          <input
            type="checkbox"
            className="method-check"
            aria-label={`${nameOf(provider)} for ${display_name}`}
            disabled={isOff}
            checked={!isOff && (draft.switches[key]?.[provider] ?? isOn(stored, key, provider))}
            onChange={(event) => onDraft(withSwitch(draft, stored, { key, provider }, event.target.checked))}
          />
        ),
      };
    }),
  ];
}
