import { useQuery } from '@tanstack/react-query';
import type { IdMatchWire } from '@tributary/contract';
import { useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import type { Environment } from '../api/client/client.ts';
import { findQuery } from '../api/find.ts';
import { Kbd } from '../components/feedback/badge.tsx';
import '../components/overlays/overlay.css';
import type { Place } from './navigation.ts';

export interface Command {
  id: string;
  label: string;
  group: string;
  /** The equivalent shortcut. */
  keys?: string;
  run: () => void;
}

export interface PaletteProps {
  environment: Environment;
  commands: readonly Command[];
  /** The places that have a page. */
  places: readonly Place[];
  /** Opens a path relative to the environment. */
  onGo: (path: string) => void;
  onClose: () => void;
}

/** The list cannot take focus or be scrolled with keys, so its length is limited. */
const mostRows = 11;

/** The command palette: finds pages and actions by a few letters, and any pasted id. */
export function Palette({ environment, commands, places, onGo, onClose }: PaletteProps) {
  const [text, setText] = useState('');
  const { contains } = useFilter({ sensitivity: 'base' });
  const { data: match } = useQuery(findQuery(environment, text.trim()));
  const fitting = commands.filter(({ label }) => contains(label, text));
  const canOpen = match && places.some(({ path }) => path === match.path.split('/')[0]);
  const shown = [...(canOpen ? [openCommand(match, onGo)] : []), ...fitting].slice(0, mostRows);
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="palette">
        <Dialog aria-label="Command palette">
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField autoFocus aria-label="Search users, events, keys, pages">
              <Input className="palette-input" placeholder="Paste an ID or type a command" />
            </SearchField>
            <Menu
              className="menu"
              aria-label="Results"
              onAction={(id) => {
                onClose();
                shown.find((command) => command.id === id)?.run();
              }}
              renderEmptyState={() => (
                <p className="palette-empty">No matches. To find an item by its ID, paste the full ID.</p>
              )}
            >
              {[...Map.groupBy(shown, ({ group }) => group)].map(([group, members]) => (
                <MenuSection key={group}>
                  <Header className="palette-group">{group}</Header>
                  {members.map(({ id, label, keys }) => (
                    <MenuItem key={id} id={id} textValue={label} className="menu-item">
                      <span className="menu-label">{label}</span>
                      {keys && <Kbd>{keys}</Kbd>}
                    </MenuItem>
                  ))}
                </MenuSection>
              ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function openCommand({ kind, id, path }: IdMatchWire, onGo: (path: string) => void): Command {
  return {
    id: path,
    label: `Open ${kind.replace('_', ' ')} ${id}`,
    group: 'Matching ID',
    run: () => onGo(path),
  };
}
