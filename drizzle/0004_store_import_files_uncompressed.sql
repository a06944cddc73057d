-- Files of imports are read a window at a time, which reads a compressed value from its beginning each time.
ALTER TABLE "contact_imports" ALTER COLUMN "content" SET STORAGE EXTERNAL;
