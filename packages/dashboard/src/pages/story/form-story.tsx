import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { Checkbox } from '../../components/controls/checkbox.tsx';
import { Combobox } from '../../components/controls/combobox.tsx';
import { DateRange } from '../../components/controls/date-range.tsx';
import type { Days } from '../../components/controls/date-range-props.ts';
import { Field } from '../../components/controls/field.tsx';
import { Filters } from '../../components/controls/filters.tsx';
import { ConfirmByName, Modal } from '../../components/overlays/modal.tsx';
import { Panel, WithPanel } from '../../components/panel.tsx';
import { Select } from '../../components/controls/select.tsx';
import { SecretOnce } from '../../components/feedback/secret-once.tsx';
import { Card } from '../../components/page.tsx';
import { Switch } from '../../components/controls/switch.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { Row, Section } from './section.tsx';

const methods = ['priority', 'merge', 'max', 'avg', 'sum'].map((value) => ({ value, label: value }));
const zones = ['Africa/Nairobi', 'America/New_York', 'Asia/Tokyo', 'Europe/Berlin', 'Europe/Lisbon'].map(
  (value) => ({
    value,
    label: value,
  }),
);

export function FormStory() {
  const [method, setMethod] = useState<string>('merge');
  const [zone, setZone] = useState<string | null>('Europe/Berlin');
  const [name, setName] = useState('customer-1042');
  const [days, setDays] = useState<Days | null>(null);
  const [filters, setFilters] = useState<string[]>(['late']);
  const [search, setSearch] = useState('');
  return (
    <>
      <Section title="Fields">
        <form className="story-fields" aria-label="Fields">
          <Field label="Reference" value={name} onChange={setName} help="Your own identifier for this user" />
          <Field label="URL" defaultValue="http://hooks" error="Must start with https://" />
          <Field label="Password" type="password" autoComplete="off" defaultValue="correct horse battery" />
          <Field label="Account" defaultValue="Acme Health" isDisabled />
          <Select label="Method" options={methods} value={method} onChange={setMethod} />
          <Combobox
            label="Time zone"
            options={zones}
            value={zone}
            onChange={setZone}
            help="Type to filter the list"
          />
          <Field label="Note" lines placeholder="Notes for your colleagues" />
        </form>
        <Row>
          <Switch defaultSelected>Deliver events</Switch>
          <Switch>Pause</Switch>
          <Switch isDisabled>Not allowed</Switch>
          <Checkbox defaultSelected>Erase data</Checkbox>
          <Checkbox isIndeterminate>Some</Checkbox>
          <Checkbox isDisabled>Disabled</Checkbox>
        </Row>
        <Filters
          label="Users"
          filters={[
            { value: 'late', label: 'Not syncing', count: { value: 10_000, more: true } },
            { value: 'none', label: 'No device', count: { value: 31, more: false } },
            { value: 'deleting', label: 'Deleting', count: { value: 0, more: false } },
          ]}
          selected={filters}
          onChange={setFilters}
          search={{
            label: 'Find a user',
            placeholder: 'Reference or ID',
            value: search,
            onChange: setSearch,
          }}
        >
          <DateRange label="Date range" value={days} onChange={setDays} today="2026-11-13" />
        </Filters>
      </Section>
      <LayerStory />
    </>
  );
}

function LayerStory() {
  const [layer, setLayer] = useState<'modal' | 'confirm' | 'secret' | 'panel' | null>(null);
  const close = () => setLayer(null);
  return (
    <Section title="Layers">
      <WithPanel
        panel={
          layer === 'panel' && (
            <Panel title="Why this value" onClose={close}>
              <p>Merged over time from two devices.</p>
            </Panel>
          )
        }
      >
        <Row>
          <Button onPress={() => setLayer('modal')}>Open modal</Button>
          <Button onPress={() => setLayer('confirm')}>Confirm by name</Button>
          <Button onPress={() => setLayer('panel')}>Open panel</Button>
          <Button onPress={() => toast('Saved')}>Toast</Button>
          <Button onPress={() => toast('The browser blocked copying.', { failed: true })}>
            Failed toast
          </Button>
        </Row>
      </WithPanel>
      <Modal title="Create user" isOpen={layer === 'modal'} onClose={close}>
        <Field label="Reference" placeholder="customer-1042" autoFocus />
        <div className="modal-foot">
          <Button onPress={close}>Cancel</Button>
          <Button kind="primary" onPress={close}>
            Create user
          </Button>
        </div>
      </Modal>
      <ConfirmByName
        title="Delete customer-1042"
        name="customer-1042"
        action="Delete permanently"
        isOpen={layer === 'confirm'}
        onConfirm={close}
        onClose={close}
      >
        All data of this user is erased within 30 days. You cannot undo this.
      </ConfirmByName>
      <Card title="Secret, shown once">
        <SecretOnce
          secret="sk_sandbox_sample_0000000000000000000000000000"
          label="Key"
          file={{ name: '.env', text: 'TRIBUTARY_KEY=sample\n' }}
          onDone={() => toast('Stored')}
        />
      </Card>
    </Section>
  );
}
