-- Taken and settled in the page where it is, a message touches no index. With 60 a page was full before all of its messages were taken: a fifth
-- of the updates moved a row, and wrote four entries.
ALTER TABLE "emails" SET (fillfactor = 50);
