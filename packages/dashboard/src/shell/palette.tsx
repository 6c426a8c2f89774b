import { useQuery } from '@tanstack/react-query';
import type { FoundWire } from '@tributary/contract';
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
import type { Environment } from '../api/client.ts';
import { findQuery } from '../api/find.ts';
import { Kbd } from '../components/badge.tsx';
import '../components/overlay.css';
import type { Place } from './navigation.ts';

export interface Command {
  id: string;
  label: string;
  group: string;
  /** The keys that do the same. */
  keys?: string;
  run: () => void;
}

export interface PaletteProps {
  environment: Environment;
  commands: readonly Command[];
  /** The places that have a page. */
  places: readonly Place[];
  /** Goes to a path below the environment. */
  onGo: (path: string) => void;
  onClose: () => void;
}

/** The list is not focusable itself and cannot be scrolled by keys, so it never grows longer than this. */
const mostRows = 11;

/** Everything that can be gone to or done, by a few letters; any id, pasted. */
export function Palette({ environment, commands, places, onGo, onClose }: PaletteProps) {
  const [text, setText] = useState('');
  const { contains } = useFilter({ sensitivity: 'base' });
  const { data: found } = useQuery(findQuery(environment, text.trim()));
  const fitting = commands.filter(({ label }) => contains(label, text));
  const canOpen = found && places.some(({ path }) => path === found.path.split('/')[0]);
  const shown = [...(canOpen ? [openCommand(found, onGo)] : []), ...fitting].slice(0, mostRows);
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="palette">
        <Dialog aria-label="Find and do">
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField autoFocus aria-label="Find a user, event, key or page">
              <Input className="palette-input" placeholder="Paste an id, or type what you want to do" />
            </SearchField>
            <Menu
              className="menu"
              aria-label="Results"
              onAction={(id) => {
                onClose();
                shown.find((command) => command.id === id)?.run();
              }}
              renderEmptyState={() => (
                <p className="palette-empty">
                  Nothing by that name. Ids are looked up exactly: paste the whole of one.
                </p>
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

function openCommand({ kind, id, path }: FoundWire, onGo: (path: string) => void): Command {
  return { id: path, label: `Open ${kind.replace('_', ' ')} ${id}`, group: 'Found', run: () => onGo(path) };
}
