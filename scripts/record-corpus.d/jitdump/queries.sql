select sum(n * 2 + 1) from generate_series(1, 1000) n where n % 3 = 0;
select count(*) from generate_series(1, 1000) n where n * n < 5000;
select max(n % 7) from generate_series(1, 1000) n;
