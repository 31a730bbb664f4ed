// Module skeleton.
