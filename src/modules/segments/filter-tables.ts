// Filters as SQL on the tables of this program.

import { makeFilterSql } from '../../filters/sql'
import { contacts } from '../contacts'
import { emails } from '../emails'
import { events } from '../events'
import { segmentMembers } from './schema'

export const filterSql = makeFilterSql({ contacts, events, emails, members: segmentMembers })
