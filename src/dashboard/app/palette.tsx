// ⌘K: type a few letters, press Enter. Pages and actions are there at once; what the sources find appears as it arrives.
import { Dialog } from '@base-ui/react/dialog'
import { useQueries } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { t } from '../texts'
import { classes } from '../ui/classes'
import { backdropClass } from '../ui/dialog'
import { useRested } from '../ui/rested'
import { allSections, useNavigation } from './navigation'
import { leaveFor } from './page-address'
import { type Hit, paletteSources } from './palette-sources'
import { mayWrite, signOut, useProject, useSession } from './session'

interface PaletteProps {
  /** What was typed before it was there. */
  typed: { current: string }
  /** Called when its field takes what is typed. */
  onReady: () => void
  onClose: () => void
}

export default function Palette({ typed, onReady, onClose }: PaletteProps) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const hits = useHits(text.trim())
  const chosen = Math.min(at, hits.length - 1)
  // Whatever was typed until the field is there, which is later than this is drawn first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each field.
  const take = useCallback((field: HTMLInputElement | null) => {
    if (!field) return
    setText(typed.current)
    onReady()
  }, [])
  const go = (hit: Hit | undefined): void => {
    if (!hit) return
    onClose()
    hit.go()
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') go(hits[chosen])
    else if (step) setAt((chosen + step + hits.length) % Math.max(hits.length, 1))
    else return
    event.preventDefault()
  }
  return (
    <Dialog.Root open onOpenChange={isOpen => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop data-fades className={backdropClass} />
        <Dialog.Popup className="fixed inset-x-3 top-[10dvh] z-50 mx-auto max-w-xl overflow-hidden rounded-lg border border-line bg-raised shadow-pop">
          <Dialog.Title className="sr-only">{t.navigation.palette}</Dialog.Title>
          <input
            ref={take}
            // biome-ignore lint/a11y/noAutofocus: at once, or letters that are typed meanwhile are lost.
            autoFocus
            role="combobox"
            aria-expanded
            aria-controls="palette"
            aria-activedescendant={hits[chosen] && `palette-${chosen}`}
            aria-label={t.navigation.palette}
            placeholder={t.navigation.paletteHint}
            value={text}
            onChange={event => {
              setText(event.target.value)
              setAt(0)
            }}
            onKeyDown={press}
            className="h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none"
          />
          <div
            id="palette"
            role="listbox"
            aria-label={t.navigation.palette}
            className="max-h-[50dvh] overflow-y-auto p-1.5"
          >
            {hits.map((hit, index) => (
              <Row
                key={hit.id}
                id={`palette-${index}`}
                hit={hit}
                chosen={index === chosen}
                onPoint={() => setAt(index)}
                onPick={() => go(hit)}
              />
            ))}
          </div>
          {hits.length === 0 && <p className="px-4 pb-4 text-quiet">{t.navigation.paletteEmpty}</p>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface RowProps {
  id: string
  hit: Hit
  chosen: boolean
  onPoint: () => void
  onPick: () => void
}

function Row({ id, hit, chosen, onPoint, onPick }: RowProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (chosen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's, which keeps the focus.
    // biome-ignore lint/a11y/useFocusableInteractive: the field says which option is meant.
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={chosen}
      onPointerMove={onPoint}
      onClick={onPick}
      className={classes(
        'flex min-h-9 max-md:min-h-11 cursor-pointer items-center gap-3 rounded-md px-2.5 [&>svg]:size-4 [&>svg]:text-quiet',
        chosen && 'bg-hover',
      )}
    >
      {hit.icon as ReactNode}
      <span className="min-w-0 flex-1 truncate">{hit.label}</span>
      <span className="text-xs text-quiet">{hit.kind}</span>
    </div>
  )
}

/** How long typing has to pause before a search. */
const restMs = 150

function useHits(text: string): Hit[] {
  const asked = useRested(text, restMs)
  const navigate = useNavigate()
  const found = useQueries({
    queries: paletteSources.map(source => ({
      queryKey: ['palette', source.name, asked],
      queryFn: ({ signal }: { signal: AbortSignal }) => source.find(asked, signal, navigate),
      enabled: asked.length >= 2,
    })),
  })
  const fixed = useFixedHits().filter(hit => fits(hit.label, text))
  return [...fixed, ...(text.length >= 2 ? found.flatMap(({ data = [] }) => data) : [])]
}

/** Whether every word of the text begins a word of the label. */
function fits(label: string, text: string): boolean {
  const words = label.toLowerCase().split(/\s+/)
  return text
    .toLowerCase()
    .split(/\s+/)
    .every(part => words.some(word => word.startsWith(part)))
}

function useFixedHits(): Hit[] {
  const router = useRouter()
  const { projects } = useSession()
  const { does } = t.navigation
  const canWrite = mayWrite(useProject())
  const beginnings = [
    ['/campaigns/new', does.newCampaign],
    ['/templates/new', does.newTemplate],
    ['/segments/new', does.newSegment],
    ['/contacts/import', t.contacts.importTitle],
  ] as const
  const places = [
    ...(canWrite ? beginnings : []),
    ['/domains', t.domains.add],
    ['/settings/members', t.settings.members.inviteTitle],
    ['/account', t.profile.title],
  ] as const
  const pages = allSections(useNavigation()).flatMap(section => {
    const others = section.tabs.filter(({ label }) => label !== section.label)
    return [section, ...others].map(({ to, label }) => ({
      id: `${section.label} ${label}`,
      label,
      kind: label === section.label ? t.navigation.pages : section.label,
      icon: <section.icon aria-hidden />,
      go: () => void router.navigate({ to }),
    }))
  })
  const others = projects.map(({ id, name }) => ({
    id,
    label: name,
    kind: t.navigation.projects,
    go: () => leaveFor(id),
  }))
  const actions = [
    ...places.map(([to, label]) => ({ id: label, label, go: () => void router.navigate({ to }) })),
    { id: 'new-project', label: t.navigation.newProject, go: () => leaveFor(undefined, '/welcome') },
    { id: 'sign-out', label: t.navigation.signOut, go: () => void signOut() },
  ].map(action => ({ ...action, kind: t.navigation.actions }))
  return [...pages, ...others, ...actions]
}
