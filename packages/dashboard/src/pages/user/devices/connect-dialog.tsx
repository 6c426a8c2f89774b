import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { curlOf } from '../../../api/client/curl.ts';
import { useRefusal } from '../../../api/role.ts';
import { connectDevice, providersQuery } from '../../../api/user.ts';
import { Button } from '../../../components/controls/button.tsx';
import { CodeBlock } from '../../../components/code/code.tsx';
import { ErrorBox, Notice, Skeleton } from '../../../components/feedback/feedback.tsx';
import { Modal } from '../../../components/overlays/modal.tsx';
import { Select } from '../../../components/controls/select.tsx';
import { usePerson } from '../person.ts';

/** Creates the link with which a person connects a provider. */
export function ConnectDialog({ provider, onClose }: { provider: string | null; onClose: () => void }) {
  const { whose } = usePerson();
  const { environment, userId } = whose;
  const client = useQueryClient();
  const providers = useQuery(providersQuery(environment));
  const [picked, setPicked] = useState(provider);
  const refusal = useRefusal('developer', 'connect devices');
  const connect = useMutation({
    mutationFn: (id: string) => connectDevice(environment, userId, id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['user', environment, userId] }),
  });
  const open = providers.data?.data.filter(({ status }) => status === 'available') ?? [];
  const chosen = picked ?? open[0]?.id ?? '';
  const nameOf = (id: string) => open.find((one) => one.id === id)?.name ?? id;
  if (connect.data)
    return (
      <Modal title={`Connect ${nameOf(chosen)}`} isOpen onClose={onClose}>
        <p className="modal-text">
          Send this link to the user. It shows which data you will read, continues to {nameOf(chosen)}, and
          works once. To get a new link, connect again.
        </p>
        <CodeBlock text={connect.data.data.auth_url} label="Link" />
        <div className="modal-foot">
          <a className="button" href={connect.data.data.auth_url} target="_blank" rel="noreferrer">
            Open link
          </a>
          <Button kind="primary" onPress={onClose}>
            Done
          </Button>
        </div>
      </Modal>
    );
  return (
    <Modal title="Connect device" isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== '') connect.mutate(chosen);
        }}
      >
        {providers.isPending && <Skeleton heights={[58, 80]} label="Loading providers" />}
        {providers.error && <ErrorBox error={providers.error} title="Could not load providers." />}
        {providers.data && open.length === 0 && (
          <Notice tone="warn" title="No providers are available yet.">
            Enter the credentials of a provider on the Providers page.
          </Notice>
        )}
        {open.length > 0 && (
          <Select
            label="Provider"
            options={open.map(({ id, name }) => ({ value: id, label: name }))}
            value={chosen}
            onChange={setPicked}
            help="Phones connect through the Mobile SDK instead."
          />
        )}
        <CodeBlock
          text={curlOf(
            { method: 'POST', path: `/v1/users/${userId}/devices`, body: { provider: chosen } },
            location.origin,
          )}
          label="Command"
        />
        {connect.error && <ErrorBox error={connect.error} title="No link was created." />}
        <div className="modal-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            reason={refusal}
            isDisabled={chosen === ''}
            isPending={connect.isPending}
          >
            Create link
          </Button>
        </div>
      </form>
    </Modal>
  );
}
