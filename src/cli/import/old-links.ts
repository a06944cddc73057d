// Links in mail that the other program sent: they go on working once its host name points here.
import { rememberOldLinks } from '../../modules/redirects'
import type { Context } from '../../platform/context'
import type { ImportSource } from './record'
import { type ImportReport, noteLost } from './report'
import { keepOrTakeBack } from './take-back'

const linksAtATime = 500

/** None depends on another, so a dry run has nothing to remember. */
export async function applyLinks(
  ctx: Context,
  source: ImportSource,
  { projectId, isDryRun, report }: { projectId: string; isDryRun: boolean; report: ImportReport },
): Promise<void> {
  let links: Array<{ id: string; url: string }> = []
  const apply = async (): Promise<void> => {
    const page = links
    links = []
    const { added, leftOut } = await keepOrTakeBack(ctx, isDryRun, tx =>
      rememberOldLinks(tx, projectId, page),
    )
    report.oldLinks.pages += added
    for (const { id, url } of leftOut)
      noteLost(
        report,
        `tracked link ${id}`,
        `not taken: ${JSON.stringify(url.slice(0, 100))} is no web address`,
      )
  }
  for await (const link of source.links?.() ?? []) if (links.push(link) >= linksAtATime) await apply()
  if (links.length > 0) await apply()
}
