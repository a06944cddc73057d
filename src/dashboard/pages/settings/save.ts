// One card of the settings is saved: only what was changed in it is sent, so that what a colleague saved meanwhile stays. If both changed the
// same, nothing is overwritten before one has been told.
import { useState } from 'react'
import { answer, api, type paths } from '../../api/client'
import { ApiError } from '../../api/error'
import { type Project, queryClient, refreshSession, sessionQuery } from '../../app/session'
import { t } from '../../texts'
import { toast } from '../../ui/toast'

export type Changes = NonNullable<
  paths['/users/@me/projects/{id}']['patch']['requestBody']
>['content']['application/json']

type Member = keyof Changes & keyof Project

/** Colleagues who save all the time are told by the server's own error. */
const attempts = 5

interface CardState {
  /** What the fields of the card begin with. */
  shown: Project
  /** The key of the form: another one when the card has to show something else than what was typed into it. */
  taken: number
  store: (body: Changes) => Promise<void>
}

/** Members that a colleague has changed to another value in the meantime. */
export class ChangedMeanwhile<T> extends Error {
  constructor(
    readonly members: ReadonlyArray<keyof T>,
    readonly newest: T,
  ) {
    super('Somebody else has changed the same')
  }
}

interface CardSaving<T extends object> {
  /** What the fields began with. */
  base: T
  /** What they hold now. */
  body: Partial<T>
  read: () => Promise<T>
  /** Stores changes to what was read as `newest`; 409 where that has changed again. */
  put: (changes: Partial<T>, newest: T) => Promise<T>
}

/** Stores what was changed over what is stored by now. Throws ChangedMeanwhile where that would overwrite a colleague's change. */
export async function saveOverNewest<T extends object>({ base, body, read, put }: CardSaving<T>): Promise<T> {
  const members = Object.keys(body) as Array<keyof T>
  const mine = members.filter(member => !isSame(body[member], base[member]))
  for (let attempt = 1; ; attempt++) {
    const newest = await read()
    const theirs = mine.filter(
      member => !isSame(newest[member], base[member]) && !isSame(newest[member], body[member]),
    )
    if (theirs.length > 0) throw new ChangedMeanwhile(theirs, newest)
    try {
      return await put(Object.fromEntries(mine.map(member => [member, body[member]])) as Partial<T>, newest)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409 || attempt === attempts) throw error
    }
  }
}

export function useSettings(project: Project): CardState {
  const [{ base, taken }, setState] = useState({ base: project, taken: 0 })
  const store = async (body: Changes): Promise<void> => {
    const members = Object.keys(body) as Member[]
    try {
      const stored = await saveOverNewest<Project>({
        base,
        body: body as Partial<Project>,
        read: () => fetchProject(project),
        put: async (changes, { updatedAt }) => ({
          ...project,
          ...(await patch(project.id, { ...(changes as Changes), expectedUpdatedAt: updatedAt })),
        }),
      })
      await refreshSession()
      const isOther = members.some(member => !isSame(stored[member], body[member]))
      setState({ base: stored, taken: isOther ? taken + 1 : taken })
      toast(t.words.saved)
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error
      const theirs = error.members as Member[]
      const newest = error.newest as Project
      // The next Save is an answer to what is said now.
      setState({ base: { ...base, ...Object.fromEntries(theirs.map(each => [each, newest[each]])) }, taken })
      throw new Error(t.settings.changedMeanwhile(theirs.map(each => inWords(each, newest[each])).join(', ')))
    }
  }
  return { shown: base, taken, store }
}

async function patch(id: string, body: Changes): Promise<Partial<Project> & object> {
  return (await answer(api.PATCH('/users/@me/projects/{id}', { params: { path: { id } }, body })))!
}

async function fetchProject({ id }: Project): Promise<Project> {
  const { projects } = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
  return projects.find(each => each.id === id)!
}

/** Members of objects come in any order. */
export function isSame(one: unknown, other: unknown): boolean {
  return sorted(one) === sorted(other)
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    each && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => a.localeCompare(b)))
      : each,
  ) ?? ''

/** "Name “Newsletter”": what a colleague saved. */
function inWords(member: Member, value: unknown): string {
  const { tracking, language, sender, consent, mailRules } = t.settings
  const { timeZoneField, quiet, cap } = mailRules
  const names: Partial<Record<string, string>> = {
    ...(consent as Record<string, string>),
    ...{ name: t.words.name, timeZone: t.words.timeZone, tracking, language, timeZoneField },
    ...{ defaultSender: sender, quietHours: quiet, mailCap: cap },
  }
  const label = names[member] ?? member
  return typeof value === 'string' && member !== 'tracking' ? `${label} ${t.writing.quoted(value)}` : label
}
